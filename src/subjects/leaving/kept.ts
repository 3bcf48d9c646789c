/** What is not erased on request, how long it must be kept, and by which law. */
export type KeptData = { readonly what: string; readonly howLong: string; readonly law: string };

/**
 * Erasure is refused as far as a law demands that data are kept (Regulation (EU) 2016/679 art. 17.3.b; Ley Orgánica 3/2018 art. 32: they
 * are blocked meanwhile). The periods: Ley 58/2003 art. 66–67 and RD 1619/2012 art. 19 (invoices are kept while the tax may be
 * assessed: four years from the end of the period for filing), Código de Comercio art. 30 (six years from the last entry in the books),
 * RD 1007/2023 art. 8.2.c (records stay readable for as long). Read on 2026-11-28.
 */
export const KEPT: readonly KeptData[] = [
  {
    what: 'Invoices with their recipients, lines, payments and e-mails, their documents, the lines of drafts that became them; their metadata until the merchant changes these.',
    howLong: 'Six years from the end of the year of the last entry in the books.',
    law: 'Código de Comercio art. 30; RD 1619/2012 art. 19; Ley 58/2003 art. 66 and 67',
  },
  {
    what: 'Registration records, their chain and the journal that proves them.',
    howLong: 'As long as the invoices; a record cannot be taken out of its chain.',
    law: 'RD 1007/2023 art. 8.2; Ley 58/2003 art. 29.2.j',
  },
  {
    what: 'The audit log, which names customers by their ids only.',
    howLong: 'As long as the invoices.',
    law: 'Regulation (EU) 2016/679 art. 5.2 and 32',
  },
];
