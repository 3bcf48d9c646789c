import type { CombinedError } from '@urql/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { EndSchedule, PauseSchedule, ResumeSchedule, ScheduleList } from '../documents-drafts.ts';
import { inNumbers, onDay } from '../format.ts';
import { t, words } from '../language.ts';
import { Status } from '../parts/status.tsx';
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
          <table className="cards">
            <thead>
              <tr>
                <th scope="col">{t('Repeated')}</th>
                <th scope="col">{t('Status')}</th>
                <th scope="col">{t('Next on')}</th>
                <th scope="col" className="number">
                  {t('Issued')}
                </th>
                {mayIssue && <th scope="col">{t('Actions')}</th>}
              </tr>
            </thead>
            <tbody>
              {schedules.map(({ id, frequency, status, startsOn, nextDates, made }) => (
                <tr key={id}>
                  <th scope="row">{`${words(frequency)}, ${t('since {day}', { day: onDay(startsOn) })}`}</th>
                  <td>
                    <Status status="issued" registration={status} />
                  </td>
                  <td>{nextDates[0] === undefined ? '—' : onDay(nextDates[0])}</td>
                  <td className="number">{inNumbers(made)}</td>
                  {mayIssue && (
                    <td className="actions">
                      {status === 'active' && button(t('Pause'), () => pause({ id }))}
                      {status === 'paused' && button(t('Resume'), () => resume({ id }))}
                      {status !== 'ended' && button(t('End'), () => end({ id }))}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
