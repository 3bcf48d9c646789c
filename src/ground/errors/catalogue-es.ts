import type { Code } from './catalogue.ts';
import { REFUSED, type Words } from './catalogue-es-refused.ts';

/** The codes of the catalogue in Spanish: one that is missing does not compile. */
export const ERRORS_ES = {
  invalid_request: [
    'Un campo, parámetro o cabecera falta, es desconocido, no es del tipo debido o está fuera de los límites.',
    'Lea `errors`: cada elemento indica el campo y la regla. Corrija la petición y envíela de nuevo; puede usar la misma clave.',
  ],
  unauthorized: [
    'La clave de la API o el token de acceso falta, no tiene el formato debido, es desconocido, ha caducado o está revocado.',
    'Envíe `Authorization: Bearer <clave>` con una clave válida.',
  ],
  token_expired: [
    'El token de acceso de una suscripción ha caducado.',
    'Pida otro token de acceso y suscríbase con él, con `Last-Event-ID` para no perder nada.',
  ],
  no_active_subscription: [
    'Expedir y validar en producción requiere una suscripción activa.',
    'Active la suscripción de la cuenta y repita con la misma clave. No afecta a las claves de pruebas.',
  ],
  aeat_mandate_not_approved: [
    'No consta la representación de la empresa, o su alta en producción no está terminada.',
    'Complete ambas cosas y repita con la misma clave. Esperar no basta. No afecta a las claves de pruebas.',
  ],
  forbidden: [
    'La clave es válida, pero le falta un permiso o un rol, no se puede usar en navegadores, o expediría para una empresa a la que otra ha sustituido o que ha renunciado a VERI*FACTU.',
    'Lea `detail`: indica qué falta. Use una clave que lo tenga o pídala a un operador.',
  ],
  not_found: ['No existe esa ruta.', 'Compárela con la referencia: todas las operaciones están bajo /v1.'],
  customer_not_found: [
    'En el entorno no hay ningún cliente con ese external_customer_id.',
    'Compruebe el identificador y el entorno de la clave; la integración debe haber creado antes el cliente.',
  ],
  integration_not_found: [
    'En el entorno no hay ninguna integración con ese identificador.',
    'Compruebe el identificador y el entorno de la clave.',
  ],
  invoice_not_found: [
    'En el entorno de la clave no hay ninguna factura con ese identificador.',
    'Compruebe el identificador (distingue mayúsculas y minúsculas) y que la clave sea del entorno debido.',
  ],
  number_series_not_found: [
    'En el entorno de la clave no hay ninguna serie de numeración con ese identificador.',
    'Consulte las series con GET /v1/number_series y tome de ahí el identificador.',
  ],
  event_not_found: [
    'En el entorno de la clave no se conserva ningún evento con ese identificador; los eventos se conservan 90 días.',
    'Consulte los eventos con GET /v1/events. Los cambios anteriores se leen en las propias facturas.',
  ],
  invoice_batch_not_found: [
    'En el entorno de la clave no hay ningún lote con ese identificador; los lotes se conservan 30 días.',
    'Tome el identificador de la respuesta que aceptó el lote. Lo que expidió se encuentra por `external_id` con GET /v1/invoices.',
  ],
  webhook_endpoint_not_found: [
    'En el entorno de la clave no hay ninguna dirección de webhook con ese identificador.',
    'Consulte las direcciones con GET /v1/webhook_endpoints y tome de ahí el identificador.',
  ],
  webhook_delivery_not_found: [
    'En el entorno de la clave no hay ninguna entrega de webhook con ese identificador; las entregas se conservan 30 días.',
    'Consulte las entregas de una dirección con GET /v1/webhook_endpoints/{id}/deliveries y tome de ahí el identificador.',
  ],
  method_not_allowed: [
    'La ruta existe, pero no para ese método.',
    'La cabecera `Allow` enumera los métodos de la ruta. Las facturas no se modifican: se corrigen con una rectificativa.',
  ],
  approval_required: [
    'La instalación solo permite a los operadores hacer esto con la aprobación de otro operador. No ha cambiado nada; la solicitud queda registrada.',
    'Pida a otro operador que apruebe la solicitud que indica `detail` (`giveApproval`, `lacre approvals approve` o la consola) y repita la misma llamada, con el mismo motivo, antes de un día.',
  ],
  customer_ambiguous: [
    'El entorno tiene varias integraciones, de modo que no basta el identificador del cliente.',
    'Envíe también `integration_id`.',
  ],
  external_id_already_used: [
    'Una factura del entorno lleva ya ese external_id. Queda usado para siempre, aunque la factura se anule.',
    'Su petición anterior funcionó: lea la factura que indica `detail`. Para una factura nueva, elija otro valor.',
  ],
  idempotency_conflict: [
    'La clave de idempotencia se usó con otro cuerpo, o su primera petición sigue en curso o acabó en un estado desconocido.',
    'Espere y repita con el mismo cuerpo. Si continúa: con external_id, repita con una clave nueva; sin él, busque antes la factura con GET /v1/invoices.',
  ],
  nif_already_used: [
    'Otra empresa de la instalación tiene ese NIF.',
    'Use esa empresa. Si una nueva la sustituye de verdad, un operador lo declara con `succeeds`.',
  ],
  number_series_in_use: [
    'La serie tiene facturas, es la serie predeterminada o la usa una integración.',
    'No se puede borrar. Cree otra serie y use esa en adelante.',
  ],
  number_series_numbering_collision: [
    'Los números de esta serie podrían coincidir con los de otra (`F` anual y `F-2026` dan ambas F-2026-1) o con el de una factura importada.',
    'Elija un prefijo que no termine en guion y cuatro cifras y que no sea el principio de un número importado.',
  ],
  number_series_prefix_taken: [
    'Otra serie del entorno tiene ese prefijo (sin contar espacios ni mayúsculas).',
    'Use esa serie o elija otro prefijo.',
  ],
  download_link_expired: [
    'El enlace firmado ha caducado o se alteró.',
    'Lea de nuevo la factura, o cree otro enlace con GET /v1/invoices/{id}/download.',
  ],
  payload_too_large: [
    'El cuerpo es mayor de 1 MiB.',
    'Envíe como mucho 500 líneas; las peticiones válidas quedan muy por debajo del límite.',
  ],
  unsupported_media_type: [
    'El cuerpo no se declara como JSON en UTF-8.',
    'Envíe `Content-Type: application/json`.',
  ],
  webhook_endpoint_limit_reached: [
    'El entorno tiene ya el máximo de direcciones de webhook.',
    'Borre una que no use; una sola dirección puede recibir todos los eventos.',
  ],
  webhook_endpoint_disabled: [
    'La dirección de webhook está desactivada: a mano, porque respondió 410 o tras cinco días sin ningún éxito.',
    'Busque el motivo en sus entregas, actívela con PATCH /v1/webhook_endpoints/{id} y `status` `active`, y repita.',
  ],
  rate_limited: [
    'La clave ha agotado sus peticiones de validación de este minuto, el entorno ha agotado su cuota mientras otros esperan, o desde la dirección llegaron demasiadas peticiones con claves no válidas.',
    'Espere los segundos de `Retry-After`. Si hay un límite por minuto, `RateLimit` indica lo que queda de él.',
  ],
  internal_error: [
    'Un fallo inesperado. No se ha guardado nada.',
    'Repita con esperas crecientes. Si continúa, comunique el X-Request-Id.',
  ],
  invoice_pending_at_aeat: [
    'La factura que se quiere corregir está todavía registrándose. No se ha guardado nada.',
    'Repita con la misma clave pasado el tiempo de `Retry-After`.',
  ],
  recipient_changed_during_validation: [
    'El destinatario de la factura corregida cambió mientras se validaba la petición. No se ha guardado nada.',
    'Repita con la misma clave.',
  ],
  service_unavailable: [
    'El servicio se está deteniendo, su base de datos o su almacén de documentos no está disponible, el disco de la base de datos está lleno (se puede seguir consultando), la expedición de la empresa está detenida tras una restauración, o el servicio está sobrecargado y la petición tardó demasiado o no cupo en la cola. No se ha guardado nada.',
    'Repita pasado el tiempo de `Retry-After`.',
  ],
  tax_id_validation_unavailable: [
    'No responde el censo o el VIES. No se ha guardado nada.',
    'Repita con la misma clave pasado el tiempo de `Retry-After`. Las identificaciones de otros tipos no se consultan.',
  ],
  invoice_draft_not_found: [
    'En el entorno de la clave no hay ningún borrador con ese identificador.',
    'Consulte los borradores con GET /v1/invoice_drafts y tome de ahí el identificador.',
  ],
  invoice_draft_already_issued: [
    'El borrador se expidió y ya no se puede modificar ni borrar.',
    'Lea `invoice_id` del borrador y corrija esa factura. Expedir de nuevo el borrador la devuelve.',
  ],
  invoice_draft_changed: [
    'El borrador cambió al mismo tiempo; no se ha hecho nada.',
    'Lea de nuevo el borrador y repita la petición si aún procede.',
  ],
  conflict: [
    'El borrador cambió después del estado que indica la petición (`If-Match`, `expectedUpdatedAt`).',
    'Lea de nuevo el borrador, repita el cambio sobre lo que es ahora e indique ese estado.',
  ],
  invoice_draft_limit_reached: [
    'El entorno tiene ya el máximo de borradores abiertos.',
    'Expida o borre algunos de los que muestra GET /v1/invoice_drafts?status=open.',
  ],
  invoice_schedule_not_found: [
    'En el entorno de la clave no hay ninguna factura periódica con ese identificador.',
    'Consulte las facturas periódicas con GET /v1/invoice_schedules y tome de ahí el identificador.',
  ],
  invoice_schedule_ended: [
    'La factura periódica ha terminado: pasó su último día, se crearon todas sus facturas o se puso fin a ella con una petición.',
    'Cree otra.',
  ],
  invoice_schedule_limit_reached: [
    'El entorno tiene ya el máximo de facturas periódicas sin terminar.',
    'Ponga fin a las que no use con POST /v1/invoice_schedules/{id}/end.',
  ],
  test_clock_not_available: [
    'El entorno es de producción: su hora es la real.',
    'Use una clave del entorno de pruebas, `sk_test_…`.',
  ],
  payment_not_found: [
    'La factura no tiene, en el entorno de la clave, ningún cobro con ese identificador.',
    'Compruebe el identificador y que la clave sea del entorno en que se anotó el cobro.',
  ],
  recipient_status_conflict: [
    'El estado contradice los que ya cuentan: repite uno, rechaza una factura comunicada como pagada o retira algo que no hay. O bien la factura tiene ya el máximo de estados.',
    'Lea los estados de la factura. Para corregir uno anotado por error, retírelo primero y anote después el correcto con una clave nueva.',
  ],
  ...REFUSED,
} as const satisfies Readonly<Record<Code, Words>>;
