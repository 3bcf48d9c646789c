import { clock } from '../../../ground/lib/clock.ts';
import { decideApproval } from '../../../subjects/approvals/decide.ts';
import {
  APPROVAL_STATES,
  type Approval,
  listApprovals,
} from '../../../subjects/approvals/store/read-approvals.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { loadersOf } from '../loaders.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import { Node } from './node-interface.ts';

/** What operators ask each other to approve, where the installation wants two for it. */

const ApprovalStateEnum = builder.enumType('ApprovalState', { values: APPROVAL_STATES });

export const ApprovalType = builder.objectRef<Approval>('Approval').implement({
  interfaces: [Node],
  description:
    'What an operator asked another one to approve, with `TWO_PERSONS`: one act with exactly these arguments, once.',
  fields: (t) => ({
    id: t.exposeID('id'),
    state: t.expose('state', {
      type: ApprovalStateEnum,
      description: 'Whether it is open, was decided, was used, or has expired.',
    }),
    action: t.exposeString('action', {
      description: 'The act, as the audit log names it: `void_invoice`.',
    }),
    subject: t.exposeString('subject', { description: 'The id of its object.' }),
    environmentId: t.exposeInt('environmentId', {
      nullable: true,
      description: 'The environment that it concerns; null if it concerns none.',
    }),
    arguments: t.field({
      type: 'JSON',
      description: 'All that decides what it does, and its reason.',
      resolve: (asked): unknown => JSON.parse(asked.arguments),
    }),
    askedBy: t.exposeString('askedBy', { description: 'The operator who asked, as in the audit log.' }),
    askedByName: t.field({
      type: 'String',
      nullable: true,
      description: 'The name of that operator; null of the command line.',
      resolve: ({ askedBy }, _args, context) => loadersOf(context).operatorName(askedBy),
    }),
    askedAt: t.expose('askedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when it can be decided; and once it is approved, done.',
    }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'The operator who approved or declined it; null while it is open.',
    }),
    decidedByName: t.field({
      type: 'String',
      nullable: true,
      description: 'The name of that operator; null of the command line.',
      resolve: ({ decidedBy }, _args, context) =>
        decidedBy === null ? null : loadersOf(context).operatorName(decidedBy),
    }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true }),
    usedAt: t.expose('usedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the act was done; null before.',
    }),
  }),
});

builder.queryField('approvals', (t) =>
  t.withAuth({ role: 'viewer' }).connection(
    {
      type: ApprovalType,
      description:
        'What operators asked each other to approve, newest first. `first` and `last` are 1 to 200, 50 by default.',
      args: { undecided: t.arg.boolean({ description: 'Only what waits for a decision.' }) },
      complexity: (args) => pageCost(args, OPERATORS_PAGE),
      resolve: (_root, { undecided, ...paging }, context) => {
        const filter = { undecided: undecided ?? false };
        const list = listApprovals(context.services.db.pool, clock.now(), filter);
        return connectionOf(context, paging, list, {
          ...{ idOf: ({ id }) => id, filter, bounds: OPERATORS_PAGE },
        });
      },
    },
    ...namesOf('Approval'),
  ),
);

const DECIDING = {
  giveApproval: [
    'approved',
    'Approves what another operator asked for, who can then repeat the same call once, within a day. Takes the role that the act takes.',
  ],
  declineApproval: [
    'declined',
    'Declines what another operator asked for, or withdraws what one asked for oneself; also what was approved and is not done yet.',
  ],
} as const;

for (const [name, [decision, description]] of Object.entries(DECIDING)) {
  builder.mutationField(name, (t) =>
    t.withAuth({ role: 'operator' }).field({
      type: ApprovalType,
      description: `${description} The actor and the reason are kept in the audit log.`,
      args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: async (_root, { id, reason }, context) => {
        const { keyId: actor, role } = context.caller;
        return valueOrThrow<Approval>(
          await decideApproval(context.services.db, { actor, role, reason }, { id, decision }),
        );
      },
    }),
  );
}
