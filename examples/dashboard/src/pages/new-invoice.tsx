import { useState } from 'react';
import { emptyDraft } from '../parts/draft.ts';
import { InvoiceForm } from '../parts/invoice-form.tsx';
import { useTitle } from '../parts/title.ts';
import { go } from '../route.ts';

export function NewInvoicePage() {
  const [begin] = useState(emptyDraft);
  useTitle('New invoice');
  return (
    <>
      <h1>New invoice</h1>
      <InvoiceForm
        begin={begin}
        rectifies={null}
        button="Issue the invoice"
        onIssued={(id) => go(`invoices/${id}`)}
      />
    </>
  );
}
