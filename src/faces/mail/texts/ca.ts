import type { MailTexts } from './texts.ts';

/** Catalan. */
export const ca: MailTexts = {
  subject: {
    invoice: (number, issuer) => `Factura ${number} de ${issuer}`,
    rectifying: (number, issuer) => `Factura rectificativa ${number} de ${issuer}`,
    voided: (number, issuer) => `Factura ${number} de ${issuer}: anul·lada`,
    reminder: (number, issuer) => `Recordatori de pagament: factura ${number} de ${issuer}`,
  },
  test: 'PROVA',
  testNote: 'Missatge de prova: el document no té validesa fiscal.',
  greeting: (name) => (name === null ? 'Bon dia:' : `Bon dia, ${name}:`),
  lead: {
    invoice: (issuer) => `${issuer} us envia aquesta factura.`,
    rectifying: (issuer) =>
      `${issuer} us envia aquesta factura rectificativa, que en corregeix una d’anterior.`,
    voided: (issuer) => `${issuer} ha anul·lat aquesta factura.`,
    reminder: (issuer, due) =>
      `Segons les dades de ${issuer}, aquesta factura, que va vèncer el ${due}, continua pendent de pagament. Si ja l’heu pagada, no tingueu en compte aquest missatge.`,
  },
  amount: 'Import',
  outstanding: 'Pendent de pagament',
  portal: 'Veure la factura',
  portalNote: 'L’enllaç obre totes les vostres factures: no el compartiu.',
  pdf: 'Descarregar el PDF',
  attached: (files) => (files === 1 ? 'Fitxer adjunt' : 'Fitxers adjunts'),
  answer: (issuer) => `Si responeu a aquest missatge, escriviu a ${issuer}.`,
  noAnswer: (issuer) =>
    `Ningú no llegeix les respostes a aquest missatge. Per a qualsevol dubte, adreceu-vos a ${issuer}.`,
  sentFor: (issuer, nif) => `Enviat en nom de ${issuer}, NIF ${nif}.`,
};
