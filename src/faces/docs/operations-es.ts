/** What stands around the operations of REST in Spanish: their names, and those of their groups. Their fields are described in English. */

/** By the operation’s id in the OpenAPI document. */
export const OPERATIONS_ES: Readonly<Record<string, string>> = {
  listInvoices: 'Consultar las facturas, de la más reciente a la más antigua',
  createInvoice: 'Expedir una factura',
  validateInvoice: 'Comprobar una factura sin expedirla',
  retrieveInvoice: 'Consultar una factura',
  updateInvoice: 'Cambiar los metadatos de una factura',
  voidInvoice: 'Anular una factura',
  exchangeInvoices: 'Canjear tiques por una factura completa',
  returnOnExchange: 'Registrar la devolución de parte de un tique canjeado',
  replaceExchange: 'Sustituir una factura de canje a nombre de quien no corresponde',
  createInvoiceDownload: 'Obtener un enlace de corta duración al PDF',
  downloadInvoiceFormat: 'La factura en un formato estructurado',
  exportInvoices: 'Obtener un enlace a los documentos de un periodo',
  downloadInvoiceExport: 'El archivo ZIP de un enlace firmado',
  downloadInvoiceFile: 'El PDF de un enlace firmado',
  downloadCompanyExport: 'El archivo de una empresa, de un enlace firmado',
  downloadRegisterBook: 'El libro registro de un enlace firmado',
  listInvoiceBatches: 'Consultar los lotes de facturas',
  createInvoiceBatch: 'Enviar un lote de facturas',
  retrieveInvoiceBatch: 'Consultar un lote de facturas',
  listInvoiceBatchResults: 'Consultar los resultados de un lote',
  listPayments: 'Consultar los cobros de una factura',
  recordPayment: 'Anotar un cobro',
  listBusinessStatuses: 'Estados de pago que hay que comunicar entre empresas',
  listRecipientStatuses: 'Consultar los estados que ha comunicado el destinatario',
  recordRecipientStatus: 'Anotar un estado que ha comunicado el destinatario',
  retrievePayment: 'Consultar un cobro',
  removePayment: 'Retirar un cobro',
  listNumberSeries: 'Consultar las series de numeración, de la más reciente a la más antigua',
  createNumberSeries: 'Crear una serie de numeración',
  retrieveNumberSeries: 'Consultar una serie de numeración',
  deleteNumberSeries: 'Borrar una serie de numeración que no se ha usado',
  listCustomers: 'Consultar los clientes',
  retrieveCustomer: 'Consultar un cliente',
  saveCustomer: 'Guardar un cliente',
  deleteCustomer: 'Borrar un cliente',
  createCustomerPortalSession: 'Crear un enlace a la página de un cliente',
  createAccessToken: 'Crear un token de acceso',
  listApiKeys: 'Consultar las claves de la API, de la más reciente a la más antigua',
  createApiKey: 'Crear una clave de la API',
  revokeApiKey: 'Revocar una clave de la API',
  validateTaxId: 'Comprobar una identificación fiscal',
  listTaxTypes: 'Consultar los tipos de impuesto',
  retrieveBranding: 'Consultar la imagen de los documentos',
  updateBranding: 'Cambiar la imagen de los documentos',
  createRegisterBook: 'Crear un enlace a un libro registro',
  sendInvoice: 'Enviar una factura por correo',
  listInvoiceEmails: 'Consultar los correos de una factura',
  retrieveEmailSettings: 'Consultar la configuración del correo',
  updateEmailSettings: 'Cambiar la configuración del correo',
  listInvoiceSchedules: 'Consultar las facturas periódicas',
  createInvoiceSchedule: 'Crear una factura periódica',
  retrieveInvoiceSchedule: 'Consultar una factura periódica',
  updateInvoiceSchedule: 'Cambiar una factura periódica',
  pauseInvoiceSchedule: 'Poner en pausa una factura periódica',
  resumeInvoiceSchedule: 'Reanudar una factura periódica',
  endInvoiceSchedule: 'Terminar una factura periódica',
  retrieveTestClock: 'Consultar el reloj de pruebas',
  advanceTestClock: 'Adelantar el reloj de pruebas',
  removeTestClock: 'Quitar el reloj de pruebas',
  listInvoiceDrafts: 'Consultar los borradores',
  createInvoiceDraft: 'Crear un borrador',
  retrieveInvoiceDraft: 'Consultar un borrador',
  updateInvoiceDraft: 'Cambiar un borrador',
  deleteInvoiceDraft: 'Borrar un borrador',
  issueInvoiceDraft: 'Expedir un borrador',
  listEvents: 'Consultar los eventos',
  retrieveEvent: 'Consultar un evento',
  listWebhookEndpoints: 'Consultar las direcciones de webhook',
  createWebhookEndpoint: 'Dar de alta una dirección de webhook',
  retrieveWebhookEndpoint: 'Consultar una dirección de webhook',
  updateWebhookEndpoint: 'Cambiar una dirección de webhook',
  deleteWebhookEndpoint: 'Borrar una dirección de webhook',
  rotateWebhookSecret: 'Cambiar el secreto de un webhook',
  pingWebhookEndpoint: 'Enviar un evento de prueba a una dirección de webhook',
  replayWebhookEvents: 'Enviar de nuevo los eventos a una dirección de webhook',
  listWebhookDeliveries: 'Consultar las entregas de un webhook',
  redeliverWebhook: 'Repetir una entrega',
};

/** Title and content of a group, by its name in the document, from which its anchor is made. */
export const TAGS_ES: Readonly<Record<string, readonly [title: string, content: string]>> = {
  Invoices: ['Facturas', 'Expedir, corregir y consultar, y obtener el PDF.'],
  Exchanges: ['Canjes', 'Facturas completas por tiques, y lo que se devuelve de ellas.'],
  'Invoice batches': ['Lotes', 'Enviar muchas facturas a la vez y seguir su avance.'],
  Payments: ['Cobros', 'Cobros y reembolsos de una factura.'],
  'Number series': ['Series de numeración', 'De dónde salen los números de factura, sin saltos.'],
  Customers: ['Clientes', 'A quién factura usted, con sus propios identificadores.'],
  'Customer portal': ['Portal de clientes', 'Una página para cada cliente de una integración.'],
  'Access tokens': ['Tokens de acceso', 'Para páginas web, en lugar de una clave.'],
  'API keys': ['Claves de la API', 'Las claves de su entorno.'],
  'Tax ids': ['Identificaciones fiscales', 'Comprobarlas antes de expedir.'],
  Taxes: ['Impuestos', 'Lo que las líneas pueden decir de sus impuestos.'],
  Branding: ['Imagen de los documentos', 'Idioma, color y logotipo de los documentos.'],
  'Register books': ['Libros registro', 'El libro registro de facturas expedidas.'],
  'E-mail': ['Correo', 'Enviar facturas a los clientes.'],
  Drafts: ['Borradores y facturas periódicas', 'Facturas que aún no se han expedido, y las que se repiten.'],
  'Test clock': ['Reloj de pruebas', 'La hora de un entorno de pruebas.'],
  Events: ['Eventos', 'Todos los cambios, en un mismo orden.'],
  Webhooks: ['Webhooks', 'Recibir los eventos por HTTP POST.'],
};

/** What the viewer says before the operations; `root` is the prefix of the documentation’s pages. */
export const INTRODUCTION_ES = (root: string): string => `Expedir, corregir y consultar facturas VERI*FACTU.

**Los textos de los campos están en inglés.** Las guías y [los errores](${root}/errors) están en español.

- **Claves**: \`Authorization: Bearer <clave>\`. Una clave abre un entorno, \`test\` o \`live\`, de una empresa, y hace en él lo que autorizan sus permisos.
- **Los cuerpos** son JSON en UTF-8, con nombres en snake_case. Los campos y parámetros desconocidos se rechazan.
- **Los importes** son céntimos enteros. **Las horas** son RFC 3339 en UTC; **los días**, los del huso horario de la empresa (Madrid o Canarias).
- **Los identificadores** no tienen significado: guárdelos, no los forme. **Las enumeraciones** pueden crecer: tolere los valores que no conozca.
- **Los errores** tienen todos la misma forma. Decida según \`code\`; \`doc_url\` lleva a [lo que hay que hacer](${root}/errors).
- **Los reintentos** son seguros con una \`Idempotency-Key\`: véase [Idempotencia](${root}/idempotency).

Empiece por [Primera factura](${root}/first-invoice). [This page in English](${root}/api?lang=en).`;
