import type { CombinedError } from '@urql/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { EndSchedule, PauseSchedule, ResumeSchedule, ScheduleList } from '../documents-drafts.ts';
import { inNumbers, onDay } from '../format.ts';
import { t, words } from '../language.ts';
import { Status } from '../parts/status.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

/** What is issued again and again, when it is next, and how to stop it. */
export function SchedulesPage({ mayIssue }: { mayIssue: boolean }) {
  const [{ data, error }, retry] = useQuery({ query: ScheduleList });
  const [refused, setRefused] = useState<CombinedError>();
  const [, pause] = useMutation(PauseSchedule);
  const [, resume] = useMutation(ResumeSchedule);
  const [, end] = useMutation(EndSchedule);
  useTitle(t('Schedules'));
  const schedules = (data?.invoiceSchedules?.edges ?? []).flatMap(({ node }) =>
    node === null ? [] : [node],
  );
  const button = (name: string, act: () => Promise<{ error?: CombinedError | undefined }>) => (
    <button type="button" className="quiet" onClick={() => act().then((answer) => setRefused(answer.error))}>
      {name}
    </button>
  );
  const columns: readonly Column<(typeof schedules)[number]>[] = [
    {
      title: t('Repeated'),
      cell: ({ frequency, startsOn }) => `${words(frequency)}, ${t('since {day}', { day: onDay(startsOn) })}`,
    },
    { title: t('Status'), cell: ({ status }) => <Status status="issued" registration={status} /> },
    { title: t('Next on'), cell: ({ nextDates: [next] }) => (next === undefined ? '—' : onDay(next)) },
    { title: t('Issued'), cell: ({ made }) => inNumbers(made), isNumber: true },
    ...(mayIssue
      ? [
          {
            title: t('Actions'),
            cell: ({ id, status }: (typeof schedules)[number]) => (
              <span className="actions">
                {status === 'active' && button(t('Pause'), () => pause({ id }))}
                {status === 'paused' && button(t('Resume'), () => resume({ id }))}
                {status !== 'ended' && button(t('End'), () => end({ id }))}
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className="head">
        <h1>{t('Schedules')}</h1>
        {mayIssue && (
          <a className="button" href={href('new')}>
            {t('New invoice')}
          </a>
        )}
      </div>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {refused !== undefined && <Trouble error={refused} onRetry={() => setRefused(undefined)} />}
      {data === undefined && error === undefined && <p>{t('Loading…')}</p>}
      {data !== undefined && schedules.length === 0 && <p>{t('There are no schedules.')}</p>}
      {schedules.length > 0 && (
        <div className="table">
          <Table rows={schedules} keyOf={({ id }) => id} columns={columns} />
        </div>
      )}
    </>
  );
}
