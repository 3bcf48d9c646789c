import type { CombinedError } from '@urql/core';
import { useCallback, useEffect, useState } from 'react';
import { useClient, useMutation } from 'urql';
import { DeleteDraft, DraftDetail, IssueDraft, UpdateDraft } from '../documents-drafts.ts';
import { hasCode } from '../errors.ts';
import { t } from '../language.ts';
import { Back } from '../parts/back.tsx';
import { Conflict } from '../parts/conflict.tsx';
import { type Draft, draftOf, type Stored } from '../parts/draft.ts';
import { InvoiceForm } from '../parts/invoice-form.tsx';
import { requestOf } from '../parts/request.ts';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go, href } from '../route.ts';

/** What is edited: the draft as it was read, what the form begins with, and how often it began. */
type Edited = { readonly stored: Stored; readonly begin: Draft; readonly times: number };
type Clash = { readonly mine: Draft; readonly theirs: Stored };

/** Edits a stored draft, and issues it. What somebody else has changed since it was read is not overwritten unseen. */
export function DraftPage({ id, mayIssue }: { id: string; mayIssue: boolean }) {
  const [edited, setEdited] = useState<Edited>();
  const [error, setError] = useState<CombinedError>();
  const client = useClient();
  useTitle(t('Draft'));
  // As it is now, not as a list has read it some time ago.
  const read = useCallback(async () => {
    const options = { requestPolicy: 'network-only' } as const;
    const answer = await client.query(DraftDetail, { id }, options).toPromise();
    setError(answer.error);
    return answer.data?.invoiceDraft ?? null;
  }, [client, id]);
  const begin = useCallback((stored: Stored | null) => {
    if (stored === null) return;
    setEdited((before) => ({ stored, begin: draftOf(stored), times: (before?.times ?? 0) + 1 }));
  }, []);
  useEffect(() => void read().then(begin), [read, begin]);
  if (error !== undefined && edited === undefined)
    return <Trouble error={error} onRetry={() => read().then(begin)} />;
  if (edited === undefined) return <p>{t('Loading…')}</p>;
  if (edited.stored.status === 'issued') return <Issued draft={edited.stored} />;
  return (
    <>
      <Back to="drafts">{t('Drafts')}</Back>
      <h1>{edited.begin.lines[0]?.description || t('Draft')}</h1>
      <Editor key={edited.times} edited={edited} mayIssue={mayIssue} onRead={read} onBegin={begin} />
    </>
  );
}

const Issued = ({ draft: { invoiceId } }: { draft: Stored }) => (
  <p>
    {t('This draft was issued.')} <a href={href(`invoices/${invoiceId}`)}>{t('Invoice')}</a>
  </p>
);

type EditorProps = {
  readonly edited: Edited;
  readonly mayIssue: boolean;
  readonly onRead: () => Promise<Stored | null>;
  readonly onBegin: (stored: Stored | null) => void;
};

function Editor({ edited, mayIssue, onRead, onBegin }: EditorProps) {
  const { stored } = edited;
  const { id } = stored;
  const [readAt, setReadAt] = useState(stored.updatedAt);
  const [clash, setClash] = useState<Clash | null>(null);
  const [saved, setSaved] = useState(false);
  const [, update] = useMutation(UpdateDraft);
  const [, issue] = useMutation(IssueDraft);
  const [, remove] = useMutation(DeleteDraft);

  /** Undefined once it is saved, or shown that somebody else was there before. */
  const save = async (draft: Draft, expectedUpdatedAt = readAt) => {
    setSaved(false);
    const input = { invoice: requestOf(draft, null) };
    const { data, error } = await update({ id, input, expectedUpdatedAt });
    if (error !== undefined && hasCode(error, 'conflict')) {
      const theirs = await onRead();
      if (theirs !== null) setClash({ mine: draft, theirs });
      return 'conflict';
    }
    if (data?.updateInvoiceDraft) {
      setReadAt(data.updateInvoiceDraft.updatedAt);
      setSaved(true);
      setClash(null);
    }
    return error;
  };
  const run = async (draft: Draft) => {
    const error = await save(draft);
    return error === 'conflict' ? undefined : error;
  };
  const issueBy = async (draft: Draft) => {
    const refused = await save(draft);
    if (refused !== undefined) return refused === 'conflict' ? undefined : refused;
    const { data, error } = await issue({ id });
    if (data?.issueInvoiceDraft) go(`invoices/${data.issueInvoiceDraft.id}`);
    return error;
  };
  const drop = async () => {
    const { error } = await remove({ id });
    if (error === undefined) go('drafts');
    return error;
  };
  return (
    <>
      {clash !== null && (
        <Conflict
          mine={clash.mine}
          theirs={draftOf(clash.theirs)}
          onTakeTheirs={() => onBegin(clash.theirs)}
          onKeepMine={() => save(clash.mine, clash.theirs.updatedAt)}
        />
      )}
      {saved && <p role="status">{t('Saved.')}</p>}
      <InvoiceForm
        begin={edited.begin}
        rectifies={null}
        button={t('Issue the invoice')}
        onIssued={(issued) => go(`invoices/${issued}`)}
        issueBy={issueBy}
        actions={
          mayIssue
            ? [
                { label: t('Save the draft'), run },
                { label: t('Delete the draft'), run: drop },
              ]
            : []
        }
      />
    </>
  );
}
