import { type Cents, decimalAmount } from '../../../ground/lib/money.ts';
import { element, leaf, type XmlElement } from './canonical-xml.ts';
import type { Fields } from './fields.ts';
import type { FacturaeSource, SourcePayment } from './source.ts';

/** PaymentMeansType of the schema. */
const MEANS: Readonly<Record<SourcePayment['means'], string>> = {
  cash: '01',
  direct_debit: '02',
  transfer: '04',
  other: '13',
  card: '19',
};

/** Group PaymentDetails: one instalment of the whole amount due. The format requires a means of payment. */
export function paymentDetails({ payment, dueOn, issuedOn }: FacturaeSource, due: Cents, fields: Fields) {
  if (payment === null) return null;
  const at = 'Invoices/Invoice/PaymentDetails/Installment';
  const account = (name: string): XmlElement | null =>
    payment.iban === null ? null : element(name, [leaf('IBAN', payment.iban)]);
  const isDebit = payment.means === 'direct_debit';
  return element('PaymentDetails', [
    element('Installment', [
      leaf('InstallmentDueDate', dueOn ?? issuedOn),
      leaf('InstallmentAmount', decimalAmount(due)),
      leaf('PaymentMeans', MEANS[payment.means]),
      isDebit ? null : account('AccountToBeCredited'),
      fields.text(at, 'PaymentReconciliationReference', payment.reference, 60),
      isDebit ? account('AccountToBeDebited') : null,
      fields.text(at, 'CollectionAdditionalInformation', payment.terms, 2_500),
    ]),
  ]);
}
