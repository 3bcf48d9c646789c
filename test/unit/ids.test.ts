import { expect, test, vi } from 'vitest';
import { newId } from '../../src/ground/lib/ids.ts';

test('ids sort in the order in which they were made, also while the clock is set back', () => {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now');
  try {
    const ids = [5, 5, 9, 3, 9, 10].flatMap((ahead) => {
      clock.mockReturnValue(now + ahead);
      return Array.from({ length: 300 }, () => newId('inv'));
    });
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.filter((id) => !/^inv_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toEqual([]);
  } finally {
    clock.mockRestore();
  }
});
