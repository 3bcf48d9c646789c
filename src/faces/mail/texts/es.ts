import type { MailTexts } from './texts.ts';

/** Spanish. */
export const es: MailTexts = {
  subject: {
    invoice: (number, issuer) => `Factura ${number} de ${issuer}`,
    rectifying: (number, issuer) => `Factura rectificativa ${number} de ${issuer}`,
    voided: (number, issuer) => `Factura ${number} de ${issuer}: anulada`,
    reminder: (number, issuer) => `Recordatorio de pago: factura ${number} de ${issuer}`,
  },
  test: 'PRUEBA',
  testNote: 'Mensaje de prueba: el documento no tiene validez fiscal.',
  greeting: (name) => (name === null ? 'Buenos días:' : `Buenos días, ${name}:`),
  lead: {
    invoice: (issuer) => `${issuer} le envía esta factura.`,
    rectifying: (issuer) => `${issuer} le envía esta factura rectificativa, que corrige otra anterior.`,
    voided: (issuer) => `${issuer} ha anulado esta factura: ya no es válida.`,
    reminder: (issuer, due) =>
      `Según los datos de ${issuer}, esta factura, que venció el ${due}, sigue pendiente de pago. Si ya la ha pagado, no tenga en cuenta este mensaje.`,
  },
  amount: 'Importe',
  outstanding: 'Pendiente de pago',
  corrections: 'Rectificaciones',
  paid: 'Pagado',
  portal: 'Ver la factura',
  portalNote: 'El enlace abre todas sus facturas: no lo comparta.',
  pdf: 'Descargar el PDF',
  attached: (files) => (files === 1 ? 'Archivo adjunto' : 'Archivos adjuntos'),
  answer: (issuer) => `Si responde a este mensaje, su respuesta llegará a ${issuer}.`,
  noAnswer: (issuer) => `Nadie lee las respuestas a este mensaje. Para cualquier duda, diríjase a ${issuer}.`,
  sentFor: (issuer, nif) => `Enviado en nombre de ${issuer}, NIF ${nif}.`,
};
