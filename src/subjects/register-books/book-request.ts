import { z } from 'zod';
import { isExistingDay } from '../../ground/lib/calendar.ts';
import { BOOK_FORMATS } from './types.ts';

const day = z.string().refine(isExistingDay, 'must be an existing day, YYYY-MM-DD').meta({ format: 'date' });

/** The register book that is asked for over REST. */
export const bookRequest = z
  .strictObject({
    from: day.describe('The first day of issue.'),
    to: day.describe('The last day of issue.'),
    format: z.enum(BOOK_FORMATS).describe('The file format.'),
  })
  .meta({ id: 'RegisterBookRequest' });
