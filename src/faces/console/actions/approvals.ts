import { isRefusal, type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import { bdi } from '../../web/html.ts';
import { facts } from '../components.ts';
import type { Action, OperatorContext } from '../page.ts';
import { stored } from '../query.ts';
import { subjectLink, termsOf } from '../subject.ts';
import { type Text, wordOf } from '../words.ts';

const QUERY = stored(
  `query ConsoleApproval($id: ID!) {
    node(id: $id) { ... on Approval { id action subject arguments askedBy askedByName } }
  }`,
);

type Decision = {
  readonly decide: (
    context: OperatorContext,
    values: { id: string; reason: string },
  ) => Promise<Outcome<unknown>>;
  readonly title: Text;
  readonly lead: Text;
  readonly submit: Text;
  readonly flash: Text;
};

function deciding({ decide, title, lead, submit, flash }: Decision): Action {
  return {
    async prepare(context) {
      const found = await QUERY(context, { id: context.param('id') });
      if (isRefusal(found)) return found;
      const { node } = found;
      if (node === null || !('askedBy' in node)) {
        return new Refusal('not_found', 'There is no such request for approval.');
      }
      const { reason, others } = termsOf(node.subject, node.arguments);
      return {
        ...{ title, lead, submit, back: '/approvals' },
        subject: facts([
          ['Action', wordOf(node.action)],
          ['Subject', subjectLink(context.root, node.subject)],
          ['Asked by', bdi(node.askedByName ?? node.askedBy)],
          ['Reason', reason],
          ['Details', others],
        ]),
      };
    },
    async perform(context, entries) {
      const done = await decide(context, { id: context.param('id'), reason: entries('reason') });
      return isRefusal(done) ? done : { flash };
    },
  };
}

export const giveApproval = deciding({
  decide: stored(
    'mutation ConsoleGiveApproval($id: ID!, $reason: String!) { giveApproval(id: $id, reason: $reason) { id } }',
  ),
  title: 'Approve what another operator asked for',
  lead: 'Whoever asked can then do exactly this, once, within a day. Check its subject first: you answer for it too.',
  submit: 'Approve',
  flash: 'It is approved.',
});

export const declineApproval = deciding({
  decide: stored(
    'mutation ConsoleDeclineApproval($id: ID!, $reason: String!) { declineApproval(id: $id, reason: $reason) { id } }',
  ),
  title: 'Decline what an operator asked for',
  lead: 'It cannot be done then, unless it is asked for again and approved.',
  submit: 'Decline',
  flash: 'It is declined.',
});
