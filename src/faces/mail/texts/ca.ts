import { ofName } from '../../../subjects/documents/texts/ca.ts';
import type { MailTexts } from './texts.ts';

/** Catalan. */
export const ca: MailTexts = {
  subject: {
    invoice: (number, issuer) => `Factura ${number} ${ofName(issuer)}`,
    rectifying: (number, issuer) => `Factura rectificativa ${number} ${ofName(issuer)}`,
    voided: (number, issuer) => `Factura ${number} ${ofName(issuer)}: anul·lada`,
    reminder: (number, issuer) => `Recordatori de pagament: factura ${number} ${ofName(issuer)}`,
  },
  test: 'PROVA',
  testNote: 'Missatge de prova: el document no té validesa fiscal.',
  greeting: (name) => (name === null ? 'Bon dia:' : `Bon dia, ${name}:`),
  lead: {
    invoice: (issuer) => `${issuer} us envia aquesta factura.`,
    rectifying: (issuer) =>
      `${issuer} us envia aquesta factura rectificativa, que en corregeix una d’anterior.`,
    voided: (issuer) => `${issuer} ha anul·lat aquesta factura: ja no és vàlida.`,
    reminder: (issuer, due) =>
      `Segons les dades ${ofName(issuer)}, aquesta factura, que va vèncer el ${due}, continua pendent de pagament. Si ja l’heu pagada, no tingueu en compte aquest missatge.`,
  },
  amount: 'Import',
  outstanding: 'Pendent de pagament',
  corrections: 'Rectificacions',
  paid: 'Pagat',
  portal: 'Veure la factura',
  portalNote: 'L’enllaç obre totes les vostres factures: no el compartiu.',
  pdf: 'Descarregar el PDF',
  attached: (files) => (files === 1 ? 'Fitxer adjunt' : 'Fitxers adjunts'),
  answer: (issuer) => `Si responeu a aquest missatge, la vostra resposta arribarà a ${issuer}.`,
  noAnswer: (issuer) =>
    `Ningú no llegeix les respostes a aquest missatge. Per a qualsevol dubte, adreceu-vos a ${issuer}.`,
  sentFor: (issuer, nif) => `Enviat en nom ${ofName(issuer)}, NIF ${nif}.`,
};
