import type { Finding, FindingKind } from '../../../subjects/chain/verify-record.ts';
import type { JournalFault } from '../../../subjects/journal/finding.ts';
import { builder } from '../builder.ts';

/** What a verification has found. */

const ChainFindingKindEnum = builder.enumType('ChainFindingKind', {
  description: 'A rule that stored data violate. More values may be added.',
  values: {
    record_unreadable: { description: 'The text of the record cannot be read.' },
    record_kind: { description: 'The text is that of another kind of record.' },
    fingerprint: { description: 'The stored fingerprint is not that of the text.' },
    fingerprint_in_xml: { description: 'The fingerprint in the text is not that of the text.' },
    position: { description: 'The position does not follow that of the preceding record.' },
    previous_record: { description: 'The record does not refer to the preceding one.' },
    previous_fingerprint: {
      description: 'The stored previous fingerprint is not that of the preceding record.',
    },
    link_in_xml: { description: 'The text does not refer to the preceding record.' },
    generated_at_goes_back: { description: 'The record was created before the preceding one.' },
    generated_at_in_xml: { description: 'The text states another time of creation.' },
    installation_number: { description: 'The text states another installation number.' },
    invoice_missing: { description: 'The invoice of the record is missing.' },
    invoice_reference: { description: 'The text refers to another invoice.' },
    invoice_number: { description: 'The text states another number of the invoice.' },
    issue_day: { description: 'The text states another day of issue.' },
    issuer_nif: { description: 'The text states another issuer.' },
    qualified_simplified: {
      description:
        'The text does not say as the invoice whether it is a simplified one that names its recipient.',
    },
    recipient_unidentified: {
      description: 'The text does not say as the invoice whether its recipient needs no tax id.',
    },
    issued_by: { description: 'The text names another party that issued the invoice.' },
    third_party_tax_id: { description: 'The text identifies another third party that issued the invoice.' },
    invoice_type: { description: 'The text states another type of the invoice.' },
    recipient_tax_id: { description: 'The text states another tax id of the recipient.' },
    total: { description: 'The text states another total.' },
    tax_total: { description: 'The tax in the text is not the sum of its breakdown.' },
    breakdown_base: { description: 'The bases in the text are not those of the lines.' },
    breakdown_tax: { description: 'The taxes in the text are not those of the lines.' },
    state_missing: { description: 'The record has no status.' },
    state_place: { description: 'The status is that of another place in a chain.' },
    state_settled: { description: 'The status and the time of the answer contradict each other.' },
    state_pending_in_test: { description: 'A record of a test environment waits to be sent.' },
    state_without_record: { description: 'A status has no record.' },
    tail: { description: 'The chain does not end where its own data state.' },
    invoice_without_record: { description: 'An invoice has no record.' },
    series_number_missing: { description: 'A number of a series is missing.' },
    series_number_beyond_counter: { description: 'A number of a series is higher than its counter.' },
    default_series_missing: {
      description: 'An environment has series of a type, and none of them is the default.',
    },
    series_without_counter: { description: 'A series with numbers has no counter.' },
    journal_position: { description: 'The positions of the journal are not 1, 2, 3 and so on.' },
    journal_link: {
      description: 'The hash of an entry is not that of its text and the preceding entry.',
    },
    journal_content: { description: 'Rows differ from those that an entry describes.' },
    journal_row_missing: { description: 'A row that an entry describes is missing.' },
    journal_head: {
      description: 'The journal does not end where its head states, or is not the environment’s.',
    },
    journal_untold: { description: 'A row has no entry.' },
    journal_checkpoint: { description: 'The journal does not extend a checkpoint that was taken of it.' },
    payment_account: {
      description: 'What is to be paid or was paid of an invoice differs from its rows and payments.',
    },
    day_total: { description: 'The stored sums of a day differ from its rows.' },
    corrected_invoice: {
      description:
        'A corrected invoice is missing among those that can be out of force, or is a different one there.',
    },
    recipient_name: { description: 'The name of a recipient is missing where lists look for words.' },
    invoice_text: { description: 'The texts in which lists look for an invoice are not its own.' },
    listed_at: { description: 'The position of a record in lists by status is not that of its invoice.' },
  } as const satisfies Record<FindingKind | JournalFault, object>,
});

export const FindingType = builder.objectRef<Finding>('ChainFinding').implement({
  fields: (t) => ({
    what: t.expose('what', { type: ChainFindingKindEnum }),
    chainId: t.exposeInt('chainId', { nullable: true }),
    position: t.exposeInt('position', { nullable: true }),
    recordId: t.exposeID('recordId', { nullable: true }),
    invoiceId: t.exposeID('invoiceId', { nullable: true }),
    expected: t.exposeString('expected', {
      nullable: true,
      description: 'The value that follows from the rest of the data; null if there should be none.',
    }),
    found: t.exposeString('found', {
      nullable: true,
      description: 'The stored value; null if there is none.',
    }),
  }),
});
