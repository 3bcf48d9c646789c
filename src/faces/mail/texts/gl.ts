import type { MailTexts } from './texts.ts';

/** Galician. */
export const gl: MailTexts = {
  subject: {
    invoice: (number, issuer) => `Factura ${number} de ${issuer}`,
    rectifying: (number, issuer) => `Factura rectificativa ${number} de ${issuer}`,
    voided: (number, issuer) => `Factura ${number} de ${issuer}: anulada`,
    reminder: (number, issuer) => `Recordatorio de pagamento: factura ${number} de ${issuer}`,
  },
  test: 'PROBA',
  testNote: 'Mensaxe de proba: o documento non ten validez fiscal.',
  greeting: (name) => (name === null ? 'Bos días:' : `Bos días, ${name}:`),
  lead: {
    invoice: (issuer) => `${issuer} envíalle esta factura.`,
    rectifying: (issuer) => `${issuer} envíalle esta factura rectificativa, que corrixe outra anterior.`,
    voided: (issuer) => `${issuer} anulou esta factura: xa non é válida.`,
    reminder: (issuer, due) =>
      `Segundo os datos de ${issuer}, esta factura, que venceu o ${due}, segue pendente de pagamento. Se xa a pagou, non teña en conta esta mensaxe.`,
  },
  amount: 'Importe',
  outstanding: 'Pendente de pagamento',
  corrections: 'Rectificacións',
  paid: 'Pagado',
  portal: 'Ver a factura',
  portalNote: 'A ligazón abre todas as súas facturas: non a comparta.',
  pdf: 'Descargar o PDF',
  attached: (files) => (files === 1 ? 'Ficheiro anexo' : 'Ficheiros anexos'),
  answer: (issuer) => `Se responde a esta mensaxe, a súa resposta chegará a ${issuer}.`,
  noAnswer: (issuer) => `Ninguén le as respostas a esta mensaxe. Para calquera dúbida, diríxase a ${issuer}.`,
  sentFor: (issuer, nif) => `Enviado en nome de ${issuer}, NIF ${nif}.`,
};
