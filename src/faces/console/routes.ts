import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidField, isRefusal, type Outcome, type Refusal } from '../../ground/errors/refusal.ts';
import type { Language } from '../../ground/lib/language.ts';
import { SHARED_LIMITS } from '../../ground/lib/limits.ts';
import type { Services } from '../../services.ts';
import { type ContextFactory, contextFactory } from '../graphql/context.ts';
import { findEnvironment } from '../graphql/environment.ts';
import { html } from '../web/html.ts';
import { allowLive, serveChanges } from '../web/live.ts';
import { type Form, isFormToken, isSecure, languageOf, queryOf, rootOf } from '../web/request.ts';
import {
  CONTENT_SECURITY_POLICY,
  chargeForPage,
  type PageFailure,
  sendPage,
  servePages,
} from '../web/serve.ts';
import { confirmationPage, type RefusedForm } from './confirm.ts';
import { invoiceDocument } from './formats.ts';
import { beginSignIn, endSignIn } from './identity.ts';
import { bare, type Frame, type Link, notice, renderFrame, requestIdLine, style } from './layout.ts';
import { type LoginServices, login, loginPage, logout, PREFIX, placeOf, showLogin } from './login.ts';
import { MESSAGE_POLICY, messageFile, messageHtml } from './mail.ts';
import { type Action, entriesOf, type OperatorContext, type Page, type PageContent } from './page.ts';
import { stored } from './query.ts';
import { refusalText } from './refusals.ts';
import { actions, pages, TABS_OF_OTHERS } from './registry.ts';
import { findSession, type OpenSession, type SessionServices, setFlash, takeFlash } from './session.ts';
import { unavailable } from './unavailable.ts';
import { inLanguage, say, type Text, worded } from './words.ts';

/** What the console works with besides operations. */
type ConsoleServices = LoginServices & Pick<Services, 'shares' | 'streams' | 'feed'>;

/** A request of an open session. */
type Turn = {
  readonly services: ConsoleServices;
  readonly session: OpenSession;
  readonly context: OperatorContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};
type Handler = (turn: Turn) => Promise<FastifyReply>;

/** A certificate with its issuers has some ten kilobytes, a logo at most 256 KiB. */
const LARGEST_FILE = 512 * 1024;

/** The operators' console. Everything under the prefix answers as a page, to operators who are in. */
export function addConsole(server: FastifyInstance, services: Services): void {
  const createContext = contextFactory(services);
  servePages(server, services, {
    prefix: PREFIX,
    largestFile: LARGEST_FILE,
    sendFailure: (request, reply, status, failure) =>
      inLanguage(languageFor(services, request, reply), () =>
        sendFailure(services, request, reply, status, failure),
      ),
    routes(scope) {
      const form = (handler: Handler) => inside(requireForm(handler));
      scope.addHook('onRequest', (request, reply) => refuseFile(services, request, reply));
      scope.get('/style.css', style.send);
      const spoken = (answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) => {
        return (request: FastifyRequest, reply: FastifyReply) =>
          inLanguage(languageFor(services, request, reply), () => answer(request, reply));
      };
      const inside = (handler: Handler) => spoken(requireSession(services, createContext, handler));
      scope.get(
        '/login',
        spoken((request, reply) => loginPage(services, request, reply)),
      );
      scope.post(
        '/login',
        spoken((request, reply) => login(services, request, reply)),
      );
      const { identityProvider } = services;
      if (identityProvider !== null) {
        scope.get(
          '/sign-in',
          spoken((request, reply) => beginSignIn(services, identityProvider, request, reply)),
        );
        scope.get(
          '/callback',
          spoken((request, reply) => endSignIn(services, identityProvider, request, reply)),
        );
      }
      scope.post(
        '/leave',
        form(({ session, request, reply }) => logout(services, session, request, reply)),
      );
      scope.get('/live/:companyId/:environment', inside(followEnvironment));
      for (const [path, page] of pages) scope.get(path, inside(showing(page)));
      scope.get('/invoices/:id/formats/:format', inside(sendingFile(invoiceDocument)));
      scope.get('/mail/:id/files/:index', inside(sendingFile(messageFile)));
      scope.get('/mail/:id/html', inside(sendMessage));
      for (const [path, action] of actions) {
        scope.get(path, inside(confirming(action)));
        scope.post(path, form(doing(action)));
      }
    },
  });
}

/** Without a session nothing is read and nothing done: the login page is shown, and after it what was requested. */
function requireSession(services: ConsoleServices, createContext: ContextFactory, handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await findSession(services, request);
    if (typeof session === 'object') {
      if (!chargeForPage(services, session.operator.keyId, reply)) return tooMany(services, request, reply);
      const context: OperatorContext = {
        ...{ createContext, operator: session.operator, requestId: request.id },
        root: rootOf(services, PREFIX),
        param: (name) => (request.params as Record<string, string>)[name] ?? '',
        query: queryOf(request),
      };
      return handler({ services, session, context, request, reply });
    }
    if (session === 'unchecked') return unchecked(services, request, reply);
    // Nothing is charged to the network: whoever shares it with an operator could otherwise keep the login page away.
    const isForm = request.method === 'POST';
    const next = isForm ? '' : request.url.slice(PREFIX.length);
    if (session === 'none' && !isForm) return showLogin(services, request, reply, 401, { next });
    const message = say(
      isForm
        ? 'Your session is over: nothing was changed. Log in again to continue.'
        : 'Your session is over. Log in again to continue.',
    );
    return showLogin(services, request, reply, 401, { next, message });
  };
}

/** The language of a page: as it was chosen, else as the browser wants it, else that of the API. */
function languageFor(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Language {
  return languageOf(request, reply, { secure: isSecure(services), otherwise: 'en' });
}

/** A file is not read before somebody is in who may send one: forms without are short. */
async function refuseFile(
  services: SessionServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (!request.headers['content-type']?.startsWith('multipart/')) return undefined;
  if (typeof (await findSession(services, request)) === 'object') return undefined;
  return inLanguage(languageFor(services, request, reply), () =>
    showLogin(services, request, reply, 401, { next: '' }),
  );
}

/** A form must be one that a page of this very session showed. */
function requireForm(handler: Handler): Handler {
  return async (turn) => {
    const { request, session } = turn;
    const form = request.body;
    if (!(form instanceof Map)) {
      return show(turn, 400, notice('The form could not be read', say('Nothing was changed.')));
    }
    if (isFormToken((form as Form).get('token'), session.cookie)) return handler(turn);
    const text = say(
      'The form did not come from a page of this session, or the session has changed since. Nothing was changed: open the page again.',
    );
    return show(turn, 403, notice('The form was refused', text));
  };
}

/** What a page listens to: whatever happens in the environment that it shows. */
async function followEnvironment({
  services,
  session,
  context,
  request,
  reply,
}: Turn): Promise<FastifyReply> {
  const environment = context.param('environment') === 'live' ? 'live' : 'test';
  const environmentId = await findEnvironment(
    { services },
    { companyId: context.param('companyId'), environment },
  );
  if (environmentId === null) return sendFailure(services, request, reply, 404, 'missing');
  return serveChanges(services, request, reply, {
    ...{ owner: `console ${session.operator.keyId}`, environmentId, cookie: session.cookie },
    max: SHARED_LIMITS.streamsOfPages.value,
    isMeant: async () => true,
    stillMay: async () => typeof (await findSession(services, request)) === 'object',
  });
}

type SentFile = { readonly filename: string; readonly mediaType: string; readonly bytes: Buffer };

/** A file to be kept. */
function sendingFile(find: (context: OperatorContext) => Promise<Outcome<SentFile>>): Handler {
  return async (turn) => {
    const file = await find(turn.context);
    if (isRefusal(file)) return unread(turn, file);
    return turn.reply
      .type(file.mediaType)
      .header('content-disposition', `attachment; filename="${file.filename}"`)
      .send(file.bytes);
  };
}

/** A message as its readers see it, for a frame that may do nothing. */
async function sendMessage(turn: Turn): Promise<FastifyReply> {
  const message = await messageHtml(turn.context);
  if (isRefusal(message)) return unread(turn, message);
  return turn.reply
    .header('content-security-policy', MESSAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(message);
}

function showing(page: Page): Handler {
  return async (turn) => {
    const shown = await page(turn.context);
    return isRefusal(shown) ? unread(turn, shown) : show(turn, 200, shown);
  };
}

function confirming(action: Action): Handler {
  return (turn) => confirm(turn, action, 200, null);
}

function doing(action: Action): Handler {
  return async (turn) => {
    const { services, session, context, request, reply } = turn;
    const entries = entriesOf(request.body as Form);
    const prepared = await action.prepare(context);
    if (isRefusal(prepared)) return unread(turn, prepared);
    // Every action needs a reason, even one that GraphQL would take without.
    const done =
      entries('reason') === ''
        ? invalidField('reason', 'required', 'is required')
        : await action.perform(context, entries);
    if (isRefusal(done)) {
      if (done.retryAfter !== undefined) reply.header('retry-after', String(done.retryAfter));
      return confirm(turn, action, done.status, { entries, refusal: done });
    }
    if ('page' in done) return show(turn, 200, done.page);
    setFlash(services, reply, session, worded(done.flash));
    return reply.redirect(context.root + (done.to ?? prepared.back), 303);
  };
}

async function confirm(
  turn: Turn,
  action: Action,
  status: number,
  refused: RefusedForm | null,
): Promise<FastifyReply> {
  const { context, session, request } = turn;
  const confirmation = await action.prepare(context);
  if (isRefusal(confirmation)) return unread(turn, confirmation);
  const address = context.root + request.url.slice(PREFIX.length);
  const place = { root: context.root, address, formToken: session.formToken, requestId: context.requestId };
  return show(turn, status, confirmationPage(confirmation, place, refused));
}

/** A refusal of reading: what is not there, or trouble of ours. */
function unread(turn: Turn, refusal: Refusal): Promise<FastifyReply> {
  const { context, reply } = turn;
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter));
  const more = html`${requestIdLine(context.requestId)}<p class="actions"><a class="button primary" href="${context.root}">${say('To the overview')}</a></p>`;
  if (refusal.status >= 500) {
    return show(
      turn,
      refusal.status,
      notice(
        'The page could not be read',
        say('A part of the service has failed. Try again in a moment.'),
        more,
      ),
    );
  }
  return show(turn, 404, notice('Not found', refusalText(refusal), more));
}

const INCIDENT = stored(
  'query ConsoleIncident { operations { standingCauses sendingIncident { since pendingRecords oldestPendingAt } } }',
);

async function show(turn: Turn, status: number, shown: PageContent): Promise<FastifyReply> {
  const { services, session, context, request, reply } = turn;
  const found = await INCIDENT(context);
  const frame: Frame = {
    ...placeOf(services, request),
    session,
    menu: menuOf(context.root, request.routeOptions.url ?? ''),
    ...tabsOf(context.root, request.routeOptions.url ?? '', shown),
    // A page that refuses leaves it for the next one.
    flash: status === 200 ? takeFlash(services, request, reply, session) : null,
    incident: isRefusal(found) ? null : found.operations.sendingIncident,
    causes: isRefusal(found) ? [] : found.operations.standingCauses,
  };
  if (shown.live) allowLive(reply);
  if (shown.frames) reply.header('content-security-policy', `${CONTENT_SECURITY_POLICY}; frame-src 'self'`);
  return sendPage(reply, status, renderFrame(frame, shown));
}

function menuOf(root: string, route: string): Link[] {
  return pages.flatMap(([path, , place]) => {
    if (place?.menu === undefined) return [];
    const own = PREFIX + path;
    const current = path === '/' ? route === PREFIX || route === own : `${route}/`.startsWith(`${own}/`);
    return [{ address: path === '/' ? root : root + path, name: place.menu, current }];
  });
}

/** The groups of a company's pages, each a link to its first, and the pages of the current group. */
function tabsOf(
  root: string,
  route: string,
  { companyScope }: PageContent,
): { readonly tabs: readonly Link[]; readonly tabsOfGroup: readonly Link[] } {
  if (companyScope === undefined) return { tabs: [], tabsOfGroup: [] };
  const tabs = pages.flatMap(([path, , place]) =>
    place?.tab === undefined ? [] : [{ path, name: place.tab, group: place.group ?? place.tab }],
  );
  const [, own = route.slice(PREFIX.length)] =
    TABS_OF_OTHERS.find(([beginning]) => route.startsWith(`${PREFIX}${beginning}`)) ?? [];
  // A page below one of a tab, such as that of one endpoint, belongs to the tab.
  const above = tabs.filter(({ path }) => `${own}/`.startsWith(`${path}/`));
  const current = above.reduce<(typeof tabs)[number] | null>(
    (longest, tab) => (tab.path.length > (longest?.path.length ?? 0) ? tab : longest),
    null,
  );
  const address = (path: string): string => root + path.replace(':companyId', companyScope.companyId);
  return {
    tabs: tabs
      .filter(({ group }, index) => tabs.findIndex((tab) => tab.group === group) === index)
      .map(({ path, group }) => ({
        ...{ address: address(path), name: group, current: group === current?.group },
      })),
    tabsOfGroup: tabs
      .filter(({ group }) => group === current?.group)
      .map(({ path, name }) => ({ address: address(path), name, current: path === current?.path })),
  };
}

const FAILURE_NOTICES: Readonly<Record<PageFailure, readonly [title: Text, text: Text]>> = {
  missing: ['There is no such page', 'Check the address, or begin at the overview.'],
  method: ['The page does not support this method', 'Nothing was changed.'],
  malformed: ['The request could not be read', 'Nothing was changed.'],
  failed: [
    'Something failed',
    'It was logged under the id below. If you were making a change, check whether it was made before you repeat it.',
  ],
};

/** The page for too many requests; it needs no lookup. */
function tooMany(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const text = say('Nothing was changed. Wait a few seconds and try again.');
  const content = notice('Too many pages at once', text, requestIdLine(request.id));
  return sendPage(reply, 429, bare(placeOf(services, request), content));
}

/** The page for an operator whose identity provider says nothing. */
function unchecked(
  services: Pick<Services, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const text = say(
    'Nothing was changed. The identity provider does not say whether you may still be here: try again in a moment, or sign in with a key.',
  );
  const content = notice('The identity provider does not answer', text, requestIdLine(request.id));
  const page = bare(placeOf(services, request), content);
  return sendPage(reply.header('retry-after', '5'), 503, page);
}

/** A page without data, for unknown paths and failures. */
function sendFailure(
  services: Pick<Services, 'config' | 'db'>,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  failure: PageFailure,
): FastifyReply {
  const place = placeOf(services, request);
  const [title, text] = unavailable(services) ?? FAILURE_NOTICES[failure];
  const more = html`${requestIdLine(request.id)}<p class="actions"><a class="button primary" href="${place.root}">${say('To the overview')}</a></p>`;
  return sendPage(reply, status, bare(place, notice(title, say(text), more)));
}
