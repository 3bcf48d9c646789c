import { percentageOf } from '../../../ground/lib/money.ts';
import type { Withholding } from '../../../subjects/taxes/withholding.ts';
import { builder } from '../builder.ts';

const WithholdingTypeEnum = builder.enumType('WithholdingType', {
  values: { irpf: { description: 'The personal income tax (IRPF).' } } as const,
});

export const WithholdingType = builder.objectRef<Withholding>('Withholding').implement({
  description: 'The income tax that the recipient withholds and pays to the Treasury for the issuer.',
  fields: (t) => ({
    type: t.field({ type: WithholdingTypeEnum, resolve: () => 'irpf' as const }),
    rate: t.float({
      description: 'The percentage: 15 means 15 %.',
      resolve: ({ rate }) => percentageOf(rate),
    }),
    base: t.expose('base', { type: 'SafeInt', description: 'The net total.' }),
    amount: t.expose('amount', { type: 'SafeInt' }),
  }),
});
