import type { CombinedError } from '@urql/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { IssueInvoice } from '../documents.ts';
import { type Fault, refusalOf } from '../errors.ts';
import type { Draft, Line, Rectifies } from './draft.ts';
import { useIdempotencyKey } from './idempotency.ts';
import { LineFields, NO_ORIGINALS } from './line-fields.tsx';
import { PreviewOf } from './preview.tsx';
import { RecipientFields } from './recipient-fields.tsx';
import { RefusalSummary, type Refused, withTitles } from './refusal.tsx';
import { namesInvoice, requestOf } from './request.ts';
import { TermsFields } from './terms-fields.tsx';

/** A button beside the one that issues: what is refused of it is shown as of issuing. */
export type Action = {
  readonly label: string;
  readonly run: (draft: Draft) => Promise<CombinedError | undefined>;
};

type Props = {
  readonly begin: Draft;
  readonly rectifies: Rectifies | null;
  readonly button: string;
  readonly onIssued: (id: string) => void;
  readonly actions?: readonly Action[];
  /** Issues in another way than by a request of its own: a draft that is stored. */
  readonly issueBy?: Action['run'];
  readonly originals?: ReadonlyMap<string, string>;
  /** Fields that stand before the others. */
  readonly before?: (faults: readonly Fault[]) => ReactNode;
};

/** Issues an invoice, or one that corrects another. */
export function InvoiceForm({ begin, rectifies, button, onIssued, before, ...rest }: Props) {
  const { actions = [], issueBy, originals } = rest;
  const [draft, setDraft] = useState(begin);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [, issue] = useMutation(IssueInvoice);
  const keyOf = useIdempotencyKey();
  const summary = useRef<HTMLDivElement>(null);
  const faults = refused?.faults ?? [];

  const change = (part: Partial<Draft>) => {
    setDraft((typed) => ({ ...typed, ...part }));
  };
  const changeLines = (lines: readonly Line[]) => {
    // What was refused is named by its place, which is another line's once one is removed.
    if (lines.length < draft.lines.length) setRefused(null);
    change({ lines });
  };
  useEffect(() => {
    if (refused !== null) summary.current?.focus();
  }, [refused]);

  const issueAtOnce: Action['run'] = async () => {
    const input = requestOf(draft, rectifies);
    const { data, error } = await issue({ input, idempotencyKey: keyOf(input) });
    // Issued it may be even if something that is asked for beside it cannot be read.
    if (!data?.issueInvoice) return error;
    onIssued(data.issueInvoice.id);
    return undefined;
  };
  const run = async (act: Action['run']) => {
    setBusy(true);
    const error = await act(draft);
    setBusy(false);
    setRefused(error === undefined ? null : withTitles(refusalOf(error)));
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    void run(issueBy ?? issueAtOnce);
  };

  return (
    <form onSubmit={send} noValidate>
      <RefusalSummary refused={refused} summary={summary} />
      {before?.(faults)}
      {(rectifies === null || !namesInvoice(rectifies)) && (
        <RecipientFields
          draft={draft}
          faults={faults}
          onChange={change}
          hasType={rectifies?.period == null}
        />
      )}
      <LineFields
        lines={draft.lines}
        faults={faults}
        originals={originals ?? NO_ORIGINALS}
        onChange={changeLines}
      />
      <TermsFields draft={draft} faults={faults} onChange={change} isCorrection={rectifies !== null} />
      <PreviewOf draft={draft} rectifies={rectifies} />
      <div className="actions">
        <button type="submit" disabled={isBusy}>
          {button}
        </button>
        {actions.map(({ label, run: act }) => (
          <button type="button" className="quiet" key={label} disabled={isBusy} onClick={() => run(act)}>
            {label}
          </button>
        ))}
      </div>
    </form>
  );
}
