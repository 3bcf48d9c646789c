import { z } from 'zod';
import { bookRequest } from '../../src/subjects/register-books/book-request.ts';
import { BOOK_LIMITS } from '../../src/subjects/register-books/limits.ts';
import { instant } from '../schema-parts.ts';
import { operations } from './operation.ts';

const link = z
  .strictObject({
    url: z.url().describe('The URL of the file, which is generated while it is downloaded. It needs no key.'),
    expires_at: instant.describe('When the link expires.'),
  })
  .meta({ id: 'RegisterBookLink' });

export const registerBookOperations = operations('Register books', [
  {
    id: 'createRegisterBook',
    method: 'POST',
    path: '/v1/register_books',
    field: 'registerBook',
    summary: 'Create a link to a register book',
    description: `A link, valid for 15 minutes, to the VAT register of issued invoices of at most ${BOOK_LIMITS.bookDays.value} days, in the columns of the agency’s common layout. Needs the scope \`read\`.`,
    body: {
      schema: bookRequest,
      examples: {
        quarter: {
          summary: 'A quarter',
          value: { from: '2026-10-01', to: '2026-12-31', format: 'csv' },
        },
      },
    },
    answer: {
      status: 201,
      description: 'The link',
      schema: link,
      example: {
        url: 'https://invoices.example.com/v1/register_books/file?token=eyJmcm9tIjoiMjAyNi0xMC0wMSJ9.wR0oUqC1GzqOZBTkDSUfI2lvb0yqYp1cZ6S5V3cWk9M',
        expires_at: '2026-11-20T13:17:43.000Z',
      },
    },
    selected: { url: 'downloadUrl' },
    location: 'url',
  },
]);
