import type { Limit } from '../../ground/lib/limit.ts';

export const APPROVAL_LIMITS = {
  approvalTime: {
    group: 'Requests',
    value: 86_400,
    unit: 'seconds',
    bounds:
      'How long an operator’s request for approval can be decided, and then how long what was approved can be done.',
    reason:
      'The other operator is asked on one day and answers on the next; what was approved is not kept in store.',
    beyond: '409 `approval_required` with a new request',
  },
  openApprovals: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds: 'Requests for approval of one operator that nobody has decided.',
    reason: 'More than anybody reads with care.',
    beyond: '409 `approval_required` without a request',
  },
} as const satisfies Record<string, Limit>;
