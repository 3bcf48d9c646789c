import { isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { chainOwner, environmentOwner, wholeNumber } from '../chain.ts';
import type { Action } from '../page.ts';
import { stored } from '../query.ts';

type ChainAct = {
  readonly name: 'retry' | 'pause' | 'resume';
  readonly title: string;
  readonly lead: string;
  readonly submit: string;
  readonly flash: string;
};

function onChain({ name, title, lead, submit, flash }: ChainAct): Action {
  const mutate = stored(
    `mutation Console_${name}($id: Int!, $reason: String!) { ${name}Chain(chainId: $id, reason: $reason) { chainId } }`,
  );
  return {
    async prepare(visit) {
      const owner = await chainOwner(visit);
      if (isRefusal(owner)) return owner;
      const { chainId, companyScope } = owner;
      return {
        title: `${title} chain ${chainId}`,
        companyScope: companyScope,
        lead,
        submit,
        back: `/chains/${chainId}`,
      };
    },
    async perform(visit, entries) {
      const id = wholeNumber(visit.param('chainId'));
      if (id === null) return new Refusal('not_found', 'There is no such chain.');
      const done = await mutate(visit, { id, reason: entries('reason') });
      return isRefusal(done) ? done : { flash };
    },
  };
}

export const retryChain = onChain({
  name: 'retry',
  title: 'Try again with',
  lead: 'The chain forgets that it failed or stopped, and sends as soon as the agency’s own wait allows. What the agency refused for a reason that is not mended, it will refuse again.',
  submit: 'Try again',
  flash: 'The chain tries again as soon as the agency’s wait allows.',
});

export const pauseChain = onChain({
  name: 'pause',
  title: 'Pause',
  lead: 'Nothing more of this chain is sent until it is resumed; an envelope that is on its way is still concluded. Issuing goes on, and the merchant is shown that records wait. The law wants records sent without delay: pause only for as long as it takes.',
  submit: 'Pause sending',
  flash: 'The chain is paused.',
});

export const resumeChain = onChain({
  name: 'resume',
  title: 'Resume',
  lead: 'The chain sends again, in order, as soon as the agency’s wait allows.',
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
  async prepare(visit) {
    const id = wholeNumber(visit.param('environmentId'));
    const companyScope = await environmentOwner(visit, id ?? 0);
    if (isRefusal(companyScope)) return companyScope;
    return {
      title: 'Open a new installation',
      companyScope: companyScope,
      lead: 'The chain of this environment is closed and another one begins under a new installation number, with a first record of its own. Numbers that the agency holds are passed over. What waits in the old chain is still sent. It cannot be taken back.',
      submit: 'Close the chain and open a new one',
      irreversible: true,
      back: `/companies/${companyScope.companyId}`,
    };
  },
  async perform(visit, entries) {
    const id = wholeNumber(visit.param('environmentId'));
    if (id === null) return new Refusal('not_found', 'There is no such environment.');
    const done = await OPEN(visit, { id, reason: entries('reason') });
    if (isRefusal(done)) return done;
    const { chainId } = done.openNewInstallation;
    return { flash: `Chain ${chainId} is open.`, to: `/chains/${chainId}` };
  },
};
