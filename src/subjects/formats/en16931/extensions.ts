import type { Day } from '../../../ground/lib/calendar.ts';
import type { ExtensionColumns } from '../../extensions/columns.ts';
import { MEANS_CODES } from './code-lists.ts';
import type { PaymentMeans, SemanticInvoice } from './terms.ts';

/**
 * The terms of the document that come from extensions of an invoice. The withheld amount is part of the totals
 * (`invoice.ts`), and extensions of lines are in `lines.ts`.
 */
export function extensionTerms({ due_date: dueOn, payment, references, delivery }: ExtensionColumns) {
  return {
    dueOn,
    buyerReference: references?.buyer_reference ?? null,
    project: references?.project ?? null,
    contract: references?.contract ?? null,
    purchaseOrder: references?.purchase_order ?? null,
    paymentTerms: paymentTerms(dueOn, payment?.terms ?? null),
    period: delivery,
    paymentMeans: payment === null ? null : meansOf(payment),
  } satisfies Partial<SemanticInvoice>;
}

const NO_DUE_DATE = 'Sin fecha de vencimiento indicada';

function paymentTerms(dueOn: Day | null, terms: string | null): string {
  const due = dueOn === null ? null : `Vencimiento: ${dueOn.split('-').reverse().join('/')}`;
  const texts = [due, terms].filter((part) => part !== null);
  return texts.length === 0 ? NO_DUE_DATE : texts.join('. ');
}

type Payment = NonNullable<ExtensionColumns['payment']>;

/** The account of a transfer is the payee's, that of a direct debit the payer's. */
function meansOf({ means, reference, ...account }: Payment): PaymentMeans {
  const iban = account.iban ?? null;
  const isComplete = means !== 'transfer' || iban !== null;
  const { code, text } = MEANS_CODES[isComplete ? means : 'transferWithoutAccount'];
  return {
    ...{ code, text, remittance: reference ?? null },
    iban: means === 'direct_debit' ? null : iban,
    debitedIban: means === 'direct_debit' ? iban : null,
  };
}
