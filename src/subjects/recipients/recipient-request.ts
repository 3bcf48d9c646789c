import { z } from 'zod';
import { optional, optionalText } from '../../ground/lib/request-fields.ts';
import { printedLine } from '../../ground/lib/text.ts';

/** What requests say of an address, and of a country. */

export const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
  .toUpperCase();

export const address = z
  .strictObject({
    line1: optional(printedLine(200)).describe('Street and number.'),
    line2: optionalText(printedLine(200, 0)).describe('Floor, door and similar.'),
    postalCode: optional(printedLine(20)).describe('The postal code as written in its country.'),
    city: optional(printedLine(100)).describe('The city.'),
    country: optional(country).describe('The country, ISO 3166-1 alpha-2.'),
  })
  .meta({ id: 'AddressInput', description: 'A postal address.' });
