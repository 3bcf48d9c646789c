import { isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { chainOwner, environmentOwner, wholeNumber } from '../chain.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';
import { said, type Text } from '../words.ts';

type ChainAction = {
  readonly name: 'retry' | 'pause' | 'resume';
  readonly title: `${'Retry' | 'Pause' | 'Resume'} chain {chain}`;
  readonly lead: Text;
  readonly submit: Text;
  readonly flash: Text;
};

function onChain({ name, title, lead, submit, flash }: ChainAction): Action {
  const mutate = stored(
    `mutation Console_${name}($id: Int!, $reason: String!) { ${name}Chain(chainId: $id, reason: $reason) { chainId } }`,
  );
  return {
    async prepare(context) {
      const owner = await chainOwner(context);
      if (isRefusal(owner)) return owner;
      const { chainId, companyScope } = owner;
      return {
        title: said(title, { chain: chainId }),
        companyScope: companyScope,
        lead,
        submit,
        back: `/chains/${chainId}`,
      };
    },
    async perform(context, entries) {
      const id = wholeNumber(context.param('chainId'));
      if (id === null) return new Refusal('not_found', 'There is no such chain.');
      const done = await mutate(context, { id, reason: entries('reason') });
      return isRefusal(done) ? done : { flash };
    },
  };
}

export const retryChain = onChain({
  name: 'retry',
  title: 'Retry chain {chain}',
  lead: 'The failure is cleared and the chain sends again as soon as the agency’s waiting time allows. If the cause has not been removed, the agency will refuse again.',
  submit: 'Retry',
  flash: 'The chain sends again as soon as the agency’s waiting time allows.',
});

export const pauseChain = onChain({
  name: 'pause',
  title: 'Pause chain {chain}',
  lead: 'No more records of this chain are sent until it is resumed; an envelope in progress is still completed. Issuing continues, and the merchant is shown that records are pending. The law requires records to be sent without delay: keep the pause as short as possible.',
  submit: 'Pause sending',
  flash: 'The chain is paused.',
});

export const resumeChain = onChain({
  name: 'resume',
  title: 'Resume chain {chain}',
  lead: 'The chain sends again, in order, as soon as the agency’s waiting time allows.',
  submit: 'Resume sending',
  flash: 'The chain sends again.',
});

const OPEN = stored(
  `mutation ConsoleOpenInstallation($id: Int!, $reason: String!) {
    openNewInstallation(environmentId: $id, reason: $reason) { chainId }
  }`,
);

/** The decision that a forked chain waits for. */
export const openInstallation: Action = {
  async prepare(context) {
    const id = wholeNumber(context.param('environmentId'));
    const companyScope = await environmentOwner(context, id ?? 0);
    if (isRefusal(companyScope)) return companyScope;
    return {
      title: 'Open a new installation',
      companyScope: companyScope,
      lead: 'The chain of this environment is closed and another one begins under a new installation number, with its own first record. Numbers of invoices that the agency holds are skipped. Pending records of the old chain are still sent. This cannot be undone.',
      submit: 'Close the chain and open a new one',
      irreversible: true,
      back: `/companies/${companyScope.companyId}`,
    };
  },
  async perform(context, entries) {
    const id = wholeNumber(context.param('environmentId'));
    if (id === null) return new Refusal('not_found', 'There is no such environment.');
    const done = await OPEN(context, { id, reason: entries('reason') });
    if (isRefusal(done)) return done;
    const { chainId } = done.openNewInstallation;
    return { flash: said('Chain {chain} is open.', { chain: chainId }), to: `/chains/${chainId}` };
  },
};
