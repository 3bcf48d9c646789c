import type { IForbiddenRuleType } from 'dependency-cruiser';

/** The subjects, and which other subjects each may look at. What is not named here is forbidden. */
const SUBJECTS = {
  accounts: ['approvals', 'number-series', 'tax-ids', 'taxes'],
  approvals: ['accounts'],
  batches: ['accounts', 'idempotency', 'invoices', 'issuing', 'rectifying'],
  certificates: ['tax-ids'],
  chain: ['journal'],
  customers: ['number-series', 'recipients', 'tax-ids'],
  declaration: [],
  documents: ['chain', 'extensions', 'invoices', 'taxes'],
  emails: [
    'accounts',
    'customers',
    'documents',
    'extensions',
    'formats',
    'idempotency',
    'invoices',
    'payments',
  ],
  drafts: ['accounts', 'extensions', 'invoices', 'issuing', 'rectifying'],
  events: ['invoices'],
  extensions: ['tax-ids', 'taxes'],
  formats: ['certificates', 'chain', 'documents', 'extensions', 'invoices', 'tax-ids', 'taxes'],
  idempotency: [],
  importing: [
    'accounts',
    'extensions',
    'invoices',
    'issuing',
    'number-series',
    'payments',
    'recipients',
    'tax-ids',
    'taxes',
  ],
  invoices: ['chain', 'extensions', 'tax-ids', 'taxes'],
  journal: ['extensions'],
  issuing: [
    'accounts',
    'chain',
    'customers',
    'extensions',
    'idempotency',
    'invoices',
    'number-series',
    'payments',
    'recipients',
    'tax-ids',
    'taxes',
  ],
  leaving: ['accounts', 'chain', 'customers', 'documents', 'formats'],
  'number-series': ['idempotency'],
  operations: ['accounts', 'approvals', 'chain', 'journal', 'registration', 'webhooks'],
  payments: ['accounts', 'extensions', 'idempotency', 'invoices'],
  recipients: ['tax-ids'],
  rectifying: [
    'accounts',
    'approvals',
    'chain',
    'extensions',
    'idempotency',
    'invoices',
    'issuing',
    'number-series',
    'payments',
    'recipients',
    'taxes',
  ],
  'register-books': ['invoices', 'tax-ids', 'taxes'],
  registration: ['approvals', 'certificates', 'chain'],
  'tax-ids': [],
  taxes: ['tax-ids'],
  webhooks: [],
} as const;

/** The parts of the ground, and which others each stands on. */
const GROUND = {
  config: ['lib'],
  db: ['errors', 'lib'],
  errors: ['lib'],
  journal: ['db', 'errors', 'lib'],
  lib: [],
  queue: ['db', 'errors', 'lib'],
} as const;

/** The faces, and which others each may look at. Pages share `web`, and the command line shows what others have written. */
const FACES = {
  cli: ['console', 'docs', 'web'],
  console: ['graphql', 'web'],
  docs: ['web'],
  graphql: [],
  mail: ['web'],
  portal: ['graphql', 'web'],
  web: [],
} as const;

/**
 * The faces that are about few subjects, and these. What visitors of the portal may do and callers may not (to sign in by a link, to
 * receive a file, to exchange a ticket) is no operation of GraphQL.
 */
const FACES_OF_SUBJECTS = {
  docs: ['declaration'],
  mail: ['documents', 'emails', 'extensions', 'invoices', 'payments'],
  portal: [
    'accounts',
    'customers',
    'documents',
    'formats',
    'invoices',
    'recipients',
    'rectifying',
    'tax-ids',
  ],
} as const;

/** The type of all that a process works with, of which a function picks what it needs; a subject has a type of its own. */
const SERVICES = '^src/services\\.ts$';

/** What the contract says may be sent, and the values of its enumerations: also the OpenAPI document is made of them. */
const CONTRACT = '^src/subjects/[^/]+/(request|[^/]+-request|types|limits)\\.ts$';

/** What a caller meets, which pages show. */
const LIMITS = '^src/subjects/[^/]+/limits\\.ts$';

/** What is known of the extensions of invoices: REST and pages show them as their table says. */
const EXTENSIONS = '^src/subjects/extensions/';

/** Who is asking, and how much they may: asked before any operation. */
const ENTRY = '^src/subjects/accounts/entry/';

const EVERYTHING = '^(src|rest|jobs)/';

function groundRules(): IForbiddenRuleType[] {
  return Object.entries(GROUND).map(([part, below]) => ({
    name: `${part}-stands-only-on-its-ground`,
    severity: 'error',
    from: { path: `^src/ground/${part}/` },
    to: {
      path: EVERYTHING,
      pathNot: [part, ...below].map((other) => `^src/ground/${other}/`),
    },
  }));
}

function subjectRules(): IForbiddenRuleType[] {
  return Object.entries(SUBJECTS).map(([subject, allowed]) => ({
    name: `${subject}-looks-only-at-its-ground`,
    severity: 'error',
    from: { path: `^src/subjects/${subject}/` },
    to: {
      path: EVERYTHING,
      pathNot: ['^src/ground/', ...[subject, ...allowed].map((other) => `^src/subjects/${other}/`)],
    },
  }));
}

function faceRules(): IForbiddenRuleType[] {
  const others = Object.entries(FACES).map(
    ([face, allowed]): IForbiddenRuleType => ({
      name: `${face}-looks-only-at-its-faces`,
      severity: 'error',
      from: { path: `^src/faces/${face}/` },
      to: {
        path: '^src/faces/|^rest/',
        pathNot: [face, ...allowed].map((other) => `^src/faces/${other}/`),
      },
    }),
  );
  const subjects = Object.entries(FACES_OF_SUBJECTS).map(
    ([face, allowed]): IForbiddenRuleType => ({
      name: `${face}-looks-only-at-its-subjects`,
      severity: 'error',
      from: { path: `^src/faces/${face}/` },
      to: {
        path: '^src/subjects/',
        pathNot: allowed.map((subject) => `^src/subjects/${subject}/`),
      },
    }),
  );
  return [...others, ...subjects];
}

/** The SQL of a subject is its own affair; only what locks and changes nothing (`store/read-*.ts`) is for everybody. */
function storeRules(): IForbiddenRuleType[] {
  return Object.keys(SUBJECTS).map((subject) => ({
    name: `the-store-of-${subject}-is-private`,
    severity: 'error',
    from: { pathNot: `^src/subjects/${subject}/` },
    to: {
      path: ['store\\.ts$', 'store/'].flatMap((store) => [
        `^src/subjects/${subject}/${store}`,
        `^src/subjects/${subject}/[^/]+/${store}`,
      ]),
      pathNot: '/store/read-[^/]+\\.ts$',
    },
  }));
}

/** The directions of the design; `test/architecture/dependencies.test.ts` plants a violation of each. */
export const dependencyRules: IForbiddenRuleType[] = [
  {
    name: 'no-circles',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  ...groundRules(),
  ...subjectRules(),
  ...storeRules(),
  ...faceRules(),
  {
    name: 'rest-is-an-adapter',
    severity: 'error',
    from: { path: '^rest/' },
    to: {
      path: '^(src|jobs)/',
      pathNot: [
        '^src/faces/graphql/|^src/ground/(errors|journal|lib|db/condition)/|^src/subjects/(events|idempotency)/',
        SERVICES,
        CONTRACT,
        ENTRY,
        EXTENSIONS,
      ],
    },
  },
  {
    name: 'web-knows-no-page',
    severity: 'error',
    from: { path: '^src/faces/web/' },
    to: { path: EVERYTHING, pathNot: ['^src/faces/web/|^src/ground/(lib|db)/', SERVICES, EXTENSIONS] },
  },
  {
    name: 'the-console-asks-by-graphql',
    severity: 'error',
    from: { path: '^src/faces/console/' },
    to: {
      path: EVERYTHING,
      pathNot: ['^src/faces/(console|web|graphql)/|^src/ground/(errors|lib)/', SERVICES, ENTRY, LIMITS],
    },
  },
  {
    name: 'faces-know-nothing-that-starts-them',
    severity: 'error',
    from: { path: '^(src/faces|rest)/', pathNot: '^src/faces/cli/' },
    to: { path: '^src/(startup|main\\.ts)|^jobs/' },
  },
  {
    name: 'the-simulator-shares-no-code',
    severity: 'error',
    from: { path: '^src/agency-simulator/' },
    to: { path: '^(src|rest|jobs|generated)/', pathNot: '^src/agency-simulator/' },
  },
  {
    name: 'the-reader-shares-no-code',
    severity: 'error',
    from: { path: '^packages/reader/' },
    to: { path: '^(src|rest|jobs|generated)/' },
  },
  {
    name: 'nobody-looks-into-the-simulator',
    severity: 'error',
    from: { pathNot: '^src/agency-simulator/' },
    to: { path: '^src/agency-simulator/' },
  },
  {
    name: 'law-does-no-input-and-output',
    severity: 'error',
    from: {
      path: [
        '^src/subjects/taxes/(breakdown|line-tax|pricing|rates|simplified-limit|summary|surcharge|types)\\.ts$',
        '^src/subjects/chain/(fingerprint|record-xml|sealed-content|qr-url)\\.ts$',
        '^src/subjects/formats/en16931/',
        '^src/subjects/registration/outcome\\.ts$',
        '^src/subjects/rectifying/(family|standing|reasons|restate|external-original)\\.ts$',
        '^src/subjects/tax-ids/',
      ],
    },
    to: {
      path: '^src/ground/(db|queue)/|^generated/prisma/client|node_modules/(pg|@prisma)/|^(fs|net|http|https|child_process)$',
    },
  },
];
