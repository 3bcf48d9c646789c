import { builder } from '../builder.ts';

export const Address = builder
  .objectRef<{ [Field in 'line1' | 'line2' | 'postalCode' | 'city' | 'country']: string | null }>('Address')
  .implement({
    fields: (t) => ({
      line1: t.exposeString('line1', { nullable: true }),
      line2: t.exposeString('line2', { nullable: true }),
      postalCode: t.exposeString('postalCode', { nullable: true }),
      city: t.exposeString('city', { nullable: true }),
      country: t.exposeString('country', { nullable: true }),
    }),
  });
