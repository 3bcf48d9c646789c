import type { MailTexts } from './texts.ts';

/** Basque. Names of companies stand where they take no ending. */
export const eu: MailTexts = {
  subject: {
    invoice: (number, issuer) => `${number} faktura – ${issuer}`,
    rectifying: (number, issuer) => `${number} faktura zuzentzailea – ${issuer}`,
    voided: (number, issuer) => `${number} faktura, baliogabetua – ${issuer}`,
    reminder: (number, issuer) => `Ordainketa-oroigarria: ${number} faktura – ${issuer}`,
  },
  test: 'PROBA',
  testNote: 'Probako mezua: dokumentuak ez du balio fiskalik.',
  greeting: (name) => (name === null ? 'Egun on:' : `Egun on, ${name}:`),
  lead: {
    invoice: (issuer) => `Faktura hau jaso duzu. Igorlea: ${issuer}.`,
    rectifying: (issuer) => `Aurreko bat zuzentzen duen faktura hau jaso duzu. Igorlea: ${issuer}.`,
    voided: (issuer) => `Faktura hau baliogabetu egin da, eta ez du baliorik. Igorlea: ${issuer}.`,
    reminder: (issuer, due) =>
      `Gure datuen arabera, faktura hau ordaintzeke dago; mugaeguna: ${due}. Igorlea: ${issuer}. Dagoeneko ordaindu baduzu, ez kontuan hartu mezu hau.`,
  },
  amount: 'Zenbatekoa',
  outstanding: 'Ordaintzeke',
  corrections: 'Zuzenketak',
  paid: 'Ordainduta',
  portal: 'Ikusi faktura',
  portalNote: 'Estekak zure faktura guztiak irekitzen ditu: ez partekatu.',
  pdf: 'Deskargatu PDFa',
  attached: (files) => (files === 1 ? 'Erantsitako fitxategia' : 'Erantsitako fitxategiak'),
  answer: (issuer) => `Mezu honi erantzuten badiozu, zure erantzunaren hartzailea: ${issuer}.`,
  noAnswer: (issuer) =>
    `Inork ez ditu mezu honen erantzunak irakurtzen. Zalantzarik baduzu, jo hona: ${issuer}.`,
  sentFor: (issuer, nif) => `Honen izenean bidalia: ${issuer}, IFZ ${nif}.`,
};
