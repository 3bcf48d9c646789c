import type { IForbiddenRuleType } from 'dependency-cruiser';

/** The subjects, and which other subjects each may look at. What is not named here is forbidden. */
const SUBJECTS = {
  accounts: [],
  certificates: [],
  chain: [],
  customers: ['accounts', 'issuing', 'number-series'],
  declaration: [],
  documents: ['chain', 'issuing'],
  idempotency: [],
  importing: ['accounts', 'issuing', 'number-series', 'recipients'],
  issuing: ['accounts', 'chain', 'idempotency', 'number-series', 'recipients'],
  'number-series': ['accounts', 'idempotency'],
  operations: ['chain', 'registration'],
  recipients: ['accounts'],
  rectifying: ['accounts', 'chain', 'issuing', 'number-series', 'recipients', 'registration'],
  registration: ['certificates', 'chain'],
} as const;

/** A new company is born with its tax catalog, and its own NIF is checked like a recipient's. */
const BIRTH_OF_A_COMPANY = '^src/(issuing/tax-catalog-store|recipients/tax-ids/spanish-nif)\\.ts$';

/** A certificate's holder is told by a NIF. */
const NIF_OF_A_HOLDER = '^src/recipients/tax-ids/spanish-nif\\.ts$';

/** What every subject stands on; of services.ts it takes the type of what it is handed. */
const GROUND = '^src/(queue|db|errors|lib)/|^src/(config|services)\\.ts$';

/** What may be sent: the one set of schemas checks requests and makes the OpenAPI document. */
const SCHEMAS =
  '^src/(issuing/(request|tax-types)|customers/portal-session-request|recipients/(tax-id-request|tax-ids/tax-id)|number-series/manage-series)\\.ts$';

/** Pages are served by the same HTTP server: handed to it whole, and not looked into. */
const PAGES = '^src/(portal|console|docs)/routes\\.ts$';

/** Who is asking, how often they may, and whether the database is there: asked before any operation. */
const WHO_AND_WHETHER =
  '^src/(accounts/(authenticate|identify|rate-limit)|db/(migrate|failures|write-state))\\.ts$';

/** What the service tells of itself to whoever runs or watches it: no operation of a caller's. */
const ABOUT_ITSELF = '^src/(operations/exposition|declaration/keep)\\.ts$';

const OUTER = '^(rest|jobs|src/(graphql|cli|portal|console|docs|web|startup|agency-simulator|main|services))';

function subjectRules(): IForbiddenRuleType[] {
  return Object.entries(SUBJECTS).map(([subject, allowed]) => ({
    name: `${subject}-looks-only-at-its-ground`,
    severity: 'error',
    from: { path: `^src/${subject}/` },
    to: {
      path: '^(src|rest|jobs)/',
      pathNot: [
        GROUND,
        `^src/${subject}/`,
        ...allowed.map((other) => `^src/${other}/`),
        ...(subject === 'accounts' ? [BIRTH_OF_A_COMPANY] : []),
        ...(subject === 'certificates' ? [NIF_OF_A_HOLDER] : []),
      ],
    },
  }));
}

/** The SQL of a subject is its own affair. */
function storeRules(): IForbiddenRuleType[] {
  return Object.keys(SUBJECTS).map((subject) => ({
    name: `the-store-of-${subject}-is-private`,
    severity: 'error',
    from: { pathNot: `^src/${subject}/` },
    to: { path: [`^src/${subject}/store\\.ts$`, `^src/${subject}/[^/]+/store\\.ts$`] },
  }));
}

/** The directions of the design; `test/architecture/dependencies.test.ts` plants a violation of each. */
export const dependencyRules: IForbiddenRuleType[] = [
  {
    name: 'no-circles',
    severity: 'error',
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'lib-knows-nothing',
    severity: 'error',
    from: { path: '^src/lib/' },
    to: { path: '^(src|rest|jobs)/', pathNot: '^src/lib/' },
  },
  {
    name: 'errors-know-lib-alone',
    severity: 'error',
    from: { path: '^src/errors/' },
    to: { path: '^(src|rest|jobs)/', pathNot: '^src/(errors|lib)/' },
  },
  {
    name: 'the-ground-knows-no-subject',
    severity: 'error',
    from: { path: '^src/(db|queue)/' },
    to: { path: '^(src|rest|jobs)/', pathNot: '^src/(db|queue|errors|lib)/' },
  },
  ...subjectRules(),
  ...storeRules(),
  {
    name: 'nothing-inside-knows-the-outside',
    severity: 'error',
    from: { path: '^src/', pathNot: OUTER },
    to: { path: OUTER, pathNot: '^src/services\\.ts$' },
  },
  {
    name: 'rest-is-an-adapter',
    severity: 'error',
    from: { path: '^rest/' },
    to: {
      path: '^(src|jobs)/',
      pathNot: [
        '^src/(graphql|errors|idempotency|lib)/|^src/services\\.ts$',
        SCHEMAS,
        PAGES,
        WHO_AND_WHETHER,
        ABOUT_ITSELF,
      ],
    },
  },
  {
    name: 'web-knows-no-page',
    severity: 'error',
    from: { path: '^src/web/' },
    to: {
      path: '^(src|rest|jobs)/',
      pathNot: '^src/(web|lib)/|^src/(services|db/(failures|write-state))\\.ts$',
    },
  },
  {
    name: 'the-console-asks-by-graphql',
    severity: 'error',
    from: { path: '^src/console/' },
    to: {
      path: '^(src|rest|jobs)/',
      pathNot: [
        '^src/(console|web|graphql|errors|lib)/|^src/services\\.ts$',
        // Who is in, and the countries of a form.
        '^src/(accounts/(console-sessions|authenticate|failed-attempts)|recipients/countries)\\.ts$',
      ],
    },
  },
  {
    name: 'the-simulator-shares-no-code',
    severity: 'error',
    from: { path: '^src/agency-simulator/' },
    // But for the time, which is what it is for everybody.
    to: { path: '^(src|rest|jobs|generated)/', pathNot: '^src/(agency-simulator/|lib/clock\\.ts$)' },
  },
  {
    name: 'nobody-looks-into-the-simulator',
    severity: 'error',
    from: { pathNot: '^src/agency-simulator/' },
    to: { path: '^src/agency-simulator/', pathNot: '^src/agency-simulator/spawn\\.ts$' },
  },
  {
    name: 'law-does-no-input-and-output',
    severity: 'error',
    from: {
      path: [
        '^src/issuing/(breakdown|pricing|line-tax|tax-(rates|types|summary))\\.ts$',
        '^src/chain/(fingerprint|record-xml|sealed-content|qr-url)\\.ts$',
        '^src/registration/outcome\\.ts$',
        '^src/rectifying/(family|standing|reasons|restate|external-original)\\.ts$',
        '^src/recipients/tax-ids/',
      ],
    },
    to: {
      path: '^src/(db|queue)/|^generated/prisma/client|node_modules/(pg|@prisma)/|^(fs|net|http|https|child_process)$',
    },
  },
];
