import { describe, expect, test } from 'vitest';
import { businessStatuses, type Movement } from '../../src/subjects/payments/business-statuses.ts';
import { easterOf, isWorkingDay, workingDaysAfter } from '../../src/subjects/payments/working-days.ts';

describe('four days without weekends and national holidays', () => {
  test('the dates of Easter are those of the calendar', () => {
    const known = [
      '2000-04-23',
      '2008-03-23',
      '2011-04-24',
      '2019-04-21',
      '2024-03-31',
      '2026-04-05',
      '2027-03-28',
      '2038-04-25',
    ];
    for (const day of known) expect(easterOf(Number(day.slice(0, 4))).toString()).toBe(day);
  });

  test('holidays of the whole country count for nothing, those that a region may move do', () => {
    const holidays = [
      '2026-01-01',
      '2026-04-03',
      '2026-05-01',
      '2026-10-12',
      '2026-12-08',
      '2026-12-25',
      '2027-03-26',
    ];
    for (const day of holidays) expect({ day, counts: isWorkingDay(day) }).toEqual({ day, counts: false });
    for (const day of ['2026-01-06', '2026-04-02', '2026-03-19']) expect(isWorkingDay(day)).toBe(true);
    for (const day of ['2026-11-21', '2026-11-22']) expect(isWorkingDay(day)).toBe(false);
  });

  test.each([
    // Monday to Friday.
    ['2026-11-16', '2026-11-20'],
    ['2026-11-20', '2026-11-26'],
    ['2026-11-21', '2026-11-26'],
    // The Constitution falls on a Sunday, the Immaculate Conception on a Tuesday.
    ['2026-12-03', '2026-12-10'],
    // Over Christmas and New Year.
    ['2026-12-24', '2026-12-31'],
    ['2026-12-30', '2027-01-06'],
    // Over Good Friday.
    ['2026-04-01', '2026-04-08'],
  ])('from %s they end on %s', (from, by) => expect(workingDaysAfter(from, 4)).toBe(by));
});

describe('the status of the payment', () => {
  const move = (day: string, paid: number, paidOn: string | null = day, payable = 100): Movement => ({
    at: new Date(`${day}T12:00:00Z`),
    ...{ paidOn, payable, paid },
  });
  const statusesOf = (
    movements: readonly Movement[],
    paid: number,
    { dueOn = null as string | null, today = '2026-12-01', payable = 100 } = {},
  ) => businessStatuses(movements, { payable, paid, dueOn }, today).map(({ status, on }) => [status, on]);

  test('nothing for what is not due, partly paid, or credited', () => {
    expect(statusesOf([], 0)).toEqual([]);
    expect(statusesOf([], 0, { dueOn: '2026-12-01' })).toEqual([]);
    expect(statusesOf([move('2026-11-10', 60)], 60)).toEqual([]);
    expect(statusesOf([], 0, { payable: -100, dueOn: '2026-11-01' })).toEqual([]);
  });

  test('settled by the payment that leaves nothing due, on the day on which it was paid', () => {
    const movements = [move('2026-11-10', 60), move('2026-11-20', 100, '2026-11-18')];
    expect(
      businessStatuses(movements, { payable: 100, paid: 100, dueOn: '2026-11-30' }, '2026-12-01'),
    ).toEqual([{ status: 'settled', on: '2026-11-18', recipientTellsBy: '2026-11-24' }]);
  });

  test('not paid from the day after the last one on', () => {
    expect(statusesOf([move('2026-11-10', 60)], 60, { dueOn: '2026-11-30' })).toEqual([
      ['not_paid', '2026-12-01'],
    ]);
    expect(statusesOf([move('2026-11-10', 60)], 60, { dueOn: '2026-12-01' })).toEqual([]);
  });

  test('each is cancelled by its opposite, and may occur again', () => {
    const movements = [
      move('2026-11-12', 100, '2026-11-11'),
      move('2026-11-13', 0, null),
      move('2026-11-14', 100, '2026-11-14'),
      move('2026-11-16', 0, null),
    ];
    expect(statusesOf(movements, 0, { dueOn: '2026-11-10' })).toEqual([
      ['not_paid', '2026-11-11'],
      ['not_paid_cancelled', '2026-11-12'],
      ['settled', '2026-11-11'],
      ['settlement_cancelled', '2026-11-13'],
      ['not_paid', '2026-11-13'],
      ['not_paid_cancelled', '2026-11-14'],
      ['settled', '2026-11-14'],
      ['settlement_cancelled', '2026-11-16'],
      ['not_paid', '2026-11-16'],
    ]);
  });

  test('a credit note for the rest settles it, without a payment date', () => {
    expect(statusesOf([move('2026-11-10', 60)], 60, { payable: 60 })).toEqual([['settled', null]]);
  });
});
