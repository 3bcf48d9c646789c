import type { Code } from './catalogue.ts';

/** A code's meaning and what to do about it. */
export type Words = readonly [meaning: string, remediation: string];

/** What 422 means, in Spanish: the request violates a rule. */
export const REFUSED = {
  format_not_applicable: [
    'El formato estructurado que se pide no puede expresar esta factura.',
    'Lea `detail`: nombra el término del formato al que le falta un valor. La guía de facturas estructuradas indica qué necesita cada formato; el PDF siempre está disponible.',
  ],
  amendment_needs_rectification: [
    'La subsanación declararía otro destinatario, otros impuestos u otros importes que los impresos en la factura.',
    'Si la factura está registrada, corríjala con una rectificativa. Si su registro fue rechazado, anúlela y expida otra.',
  ],
  downgrade_to_simplified_not_allowed: [
    'Se ha pedido una rectificativa simplificada de una factura completa.',
    'Envíe `type` complete.',
  ],
  external_reference_invalid: [
    'La referencia a una factura de otro sistema no tiene el formato debido.',
    'Indique su número (de 1 a 60 caracteres imprimibles, ninguno de " \' < > =) e `issued_on`, un día que exista y no sea futuro.',
  ],
  external_reference_matches_existing_invoice: [
    'El número externo es el de una factura expedida aquí.',
    'Indíquela por `invoice_id`.',
  ],
  family_balance_below_zero: [
    'Las diferencias dejan por debajo de cero el total de la factura corregida.',
    'Rectifique como mucho por el saldo vigente; lea antes la factura y su `rectified_by`.',
  ],
  insufficient_recipient_data: [
    'El destinatario no se puede declarar a la Agencia Tributaria: hacen falta un nombre o razón social de 2 a 100 caracteres y un país que reconozca.',
    'Envíe el nombre o razón social completo y el código ISO del país del destinatario.',
  ],
  invalid_number_series: [
    'La serie no existe en el entorno, no tiene el formato debido o es de rectificativas y la factura es ordinaria.',
    'Indique una serie ordinaria del entorno, u omita el campo para usar la serie predeterminada.',
  ],
  invalid_recargo_equivalencia: [
    'Con recargo_equivalencia cada línea debe llevar exactamente un impuesto vat del 21, 10 o 4 %; el recargo no se envía nunca.',
    'Envíe las líneas con vat, sin recargo, y la marca; el servicio añade el recargo.',
  ],
  invalid_rectifies_reference: [
    '`rectifies` debe indicar de una sola manera qué se corrige: invoice_id, external, invoice_ids o period; o lo que indica no se puede corregir así.',
    'Lea `detail` y envíe exactamente uno de ellos.',
  ],
  invalid_tax_data: [
    'La Agencia Tributaria rechazaría esta combinación de impuestos o importes, o el impuesto no está clasificado en el catálogo de la empresa.',
    'Lea `detail`. Si al catálogo le falta algo, haga que se complete y repita con una clave nueva.',
  ],
  invalid_tax_id: [
    'La identificación fiscal no tiene el formato debido o no consta en el censo o en el VIES (si es un NIF español, junto con el nombre o razón social).',
    'Corrija la identificación o el nombre según el censo: en una persona física, los apellidos primero (`GARCIA LOPEZ ANA`). A quien no está en el censo se le puede facturar como `not_registered`.',
  ],
  invalid_tax_rate: [
    'El tipo impositivo no está hoy en vigor para ese impuesto, falta donde debe haberlo o se envió donde no lo hay.',
    'Envíe un tipo en vigor: vat admite 0, 4, 10 y 21.',
  ],
  invoice_already_replaced: [
    'La factura se sustituyó por completo.',
    'Corrija la que la sustituye: está en `rectified_by`.',
  ],
  invoice_already_voided: ['La factura está anulada: a efectos legales no existió.', 'Expida otra factura.'],
  invoice_has_live_canje: [
    'La factura simplificada se canjeó por una completa.',
    'Se podrá corregir de nuevo cuando se anule esa factura de canje.',
  ],
  invoice_is_canje: [
    'Una factura de canje no se corrige con una rectificativa.',
    'Anúlela y canjee de nuevo, o consulte a un operador.',
  ],
  invoice_not_family_tip: [
    'La factura ya se corrigió; solo se puede rectificar la última de su familia.',
    'Rectifique la última factura vigente de `rectified_by`.',
  ],
  invoice_not_rectifiable_at_aeat: [
    'La factura no consta en la Agencia Tributaria: su registro fue rechazado, se omitió o nunca se hizo.',
    'Haga que se subsane y se registre o, si lo erróneo es la propia factura, anúlela y expida otra.',
  ],
  line_item_without_tax_items: [
    'Todas las líneas de una rectificativa deben declarar su impuesto.',
    'Envíe `tax_items` en cada línea.',
  ],
  num_series_not_applicable_for_order_invoice: [
    'La factura corregida procede de un pedido de una integración; su rectificativa va en la serie de la integración.',
    'Omita `number_series_id`.',
  ],
  reason_incompatible_with_recipient: [
    'El concurso admite un NIF español, un NIF-IVA de la UE o un destinatario no censado; el crédito incobrable, un NIF español o un destinatario no censado.',
    'Use otra causa o corrija la identificación del destinatario.',
  ],
  recipient_overrides_not_allowed_for_differences: [
    'Una rectificativa por diferencias hereda su destinatario.',
    'Omita `recipient`, o use el método substitution para indicarlo de nuevo.',
  ],
  rectified_amounts_required_for_substitution: [
    'Sustituir una factura de otro sistema requiere los importes que se sustituyen.',
    'Envíe `rectified_amounts` con base, cuota y, si lo hay, recargo, en céntimos.',
  ],
  rectified_invoice_not_found: [
    'En el entorno no hay ninguna factura con ese identificador.',
    'Compruebe `rectifies.invoice_id` y el entorno de la clave.',
  ],
  rectifying_series_invalid: [
    'La serie de una rectificativa debe ser una serie de rectificativas del entorno.',
    'Indique una serie de rectificativas, u omita el campo para usar la serie predeterminada.',
  ],
  replacement_total_negative: [
    'El total sin impuestos de una sustitución no puede ser negativo.',
    'Envíe la factura sustitutiva completa y no el cambio; para un cambio, use el método differences.',
  ],
  simplified_amount_exceeded: [
    'Una factura simplificada no puede pasar de 3.000 EUR con impuestos (por ley, de 400 EUR fuera de las actividades del artículo 4.2 del RD 1619/2012, lo que no se comprueba).',
    'Expida una factura completa con el destinatario identificado.',
  ],
  simplified_incompatible_tax_type: [
    'El impuesto exige un destinatario identificado, que una factura simplificada no tiene.',
    'Expida una factura completa.',
  ],
  tax_id_type_country_mismatch: [
    '`tax_id_type` y `tax_id_country` se contradicen.',
    'es_nif y not_registered exigen ES; eu_vat, el país de su prefijo; y los demás, un país distinto de ES (un pasaporte puede ser de cualquiera).',
  ],
  upgrade_to_complete_not_allowed: [
    'Se ha pedido una rectificativa completa de una factura simplificada.',
    'Envíe `type` simplified. La factura completa por canje de una simplificada se pide en el portal de clientes.',
  ],
  email_not_available: [
    'Esta instalación no envía correo: no tiene servidor.',
    'Envíe usted el documento (`pdf_url`), o haga que el operador configure `SMTP_URL` y `EMAIL_FROM`.',
  ],
  recipient_email_missing: [
    'La factura no tiene la dirección de correo de su destinatario, y la petición no indica ninguna.',
    'Envíe la dirección en `to` e indique `recipient.email` en las próximas facturas.',
  ],
  payment_exceeds_payable: [
    'El importe supera lo pendiente de cobro o, en un abono, lo que hay que reembolsar.',
    'Lea `amount_due` de la factura: cambia con las rectificativas y los cobros que se anotan entretanto. Anote como mucho ese importe, con una clave nueva.',
  ],
  too_many_payments: [
    'La factura tiene ya el máximo de cobros, incluidos los retirados.',
    'Anote el resto como un solo cobro de una rectificativa, o lleve la cuenta de cobros tan pequeños en otro sitio.',
  ],
  recipient_status_not_applicable: [
    'Los destinatarios solo comunican estados de facturas completas a un destinatario con NIF español.',
    'Anote los cobros como cobros; de las demás facturas no se intercambian estados entre empresas.',
  ],
} as const satisfies Partial<Record<Code, Words>>;
