import type { NewEntry } from '../../ground/journal/append.ts';
import { NUMBER_SERIES, rowText } from '../../ground/journal/forms.ts';
import type { Series } from './series.ts';

/**
 * The journal entry of a created or deleted series. It contains the series itself, because a deleted one has no
 * row.
 */
export function seriesEntry(
  environmentId: number,
  type: 'number_series.created' | 'number_series.deleted',
  { createdAt, ...series }: Omit<Series, 'isDefault'>,
  at: Date,
): NewEntry {
  const content = rowText(NUMBER_SERIES, { ...series, created_at: createdAt });
  return { environmentId, type, subjectId: series.id, at, content };
}
