/** The paper of an invoice: A4 sheets, or the roll of a ticket printer, 80 mm wide. */
export const PAPERS = ['a4', 'roll'] as const;
export type Paper = (typeof PAPERS)[number];
