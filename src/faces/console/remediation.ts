import type { Text } from './words.ts';

/**
 * Remediation steps for the agency's answers. The codes and their meanings are those of the agency's table
 * (errores.properties, state of 08/04/2026) and of its validations v1.2.2; the steps follow from sections 4.3, 6.1 and
 * 6.2 of the latter.
 */
export type Step = 'amend' | 'void' | 'retry' | 'unpark' | 'skip' | 'resume';

export type Remediation = { readonly text: Text; readonly steps: readonly Step[] };

const remediation = (text: Text, ...steps: Step[]): Remediation => ({ text, steps });

const IDENTITY = remediation(
  'The agency does not know the recipient by this name and id, or the id contradicts its type or country. Ask the merchant for the exact fiscal identity, then amend the record with it. If the invoice should never have been issued, void it.',
  'amend',
  'void',
);
const CLASSIFICATION = remediation(
  'The agency does not accept the classification of the tax. Correct the company’s tax catalog first, then amend the record with “declare the taxes according to the current catalog”.',
  'amend',
  'void',
);
const FIELD = remediation(
  'A text of the record does not meet the agency’s rules. Amend the record: correct the description or the recipient.',
  'amend',
  'void',
);
const AMOUNTS = remediation(
  'The amounts do not add up by the agency’s rules. They are sealed and cannot be amended: void the invoice, have the merchant issue it again, and inform the developers.',
  'void',
);
const CHAIN = remediation(
  'The error concerns the chain itself: the fingerprint, the first record or the link to the preceding record. Verify the chain here; if there are no findings, contact the agency with the record’s XML before doing anything else.',
);
const ISSUER = remediation(
  'The agency does not know the company by its NIF and name, or has no mandate that allows our certificate to send for it. The chain has stopped. Have the merchant correct its census data or the mandate, then retry the chain.',
  'retry',
);
const ENVELOPE = remediation(
  'This record makes every envelope fail, so it was parked; the others are sent. Check its XML before changing anything. Once the error is corrected, unpark it; if it can never be sent, skip it.',
  'unpark',
  'skip',
);
const TECHNICAL = remediation(
  'A failure at the agency. It is retried automatically, at least once an hour; you can retry it now.',
  'retry',
);
const TECHNICAL_RECORD = remediation(
  'The agency has repeatedly reported an internal failure for this record. Amend it without changes: the same content is sent again.',
  'amend',
);

const BY_CODE: readonly (readonly [codes: string, remediation: Remediation])[] = [
  [
    '1101 1102 1103 1109 1110 1111 1121 1122 1123 1126 1131 1154 1191 1192 1193 1222 1232 1233 1234',
    IDENTITY,
  ],
  ['1189 1190 1239 1254 1255 1283 1290', IDENTITY],
  ['1195 1196 1197 1198 1199 1200 1201 1202 1203 1205 1206 1207 1208 1209 1218', CLASSIFICATION],
  ['1237 1238 1245 1246 1252 1257 1260 1286 1289 1293', CLASSIFICATION],
  ['1100 1104 1106 1107 1130 1287 1253', FIELD],
  ['1124 1127 1132 1135 1142 1143 1144 1150 1160 1162 1163 1164 1165 1166 1167 1168 1169 1170', AMOUNTS],
  ['1194 1210 1216 1235 1236 1277 1281 1284 2005 2006', AMOUNTS],
  ['2000 2002 2003 2007 2008 1174 1175 1180 1262 1269 1274 1291 1292', CHAIN],
  ['1108 1172 1215 1217 1219 1240 1282', ISSUER],
  ['4104 4105 4107 4109 4112 4115 4116 4117 4123 4124 4140', ISSUER],
  ['1129 1241 1243 1256 1288', TECHNICAL_RECORD],
  ['3500 3501 3502 3503 4108 4110 4111 4118 4128 4134 4139', TECHNICAL],
  ['4102 4103 4106 4113 4114 4119 4136 4137 4138', ENVELOPE],
  [
    '1105 1112 1125 1133 1134 1145 1146 1152 1173',
    remediation(
      'The agency does not accept a date. Dates are sealed: void the invoice and have it issued again. If the date is right, compare our clock with the agency’s.',
      'void',
    ),
  ],
  [
    '1153 1161 1171 1275 1276',
    remediation(
      'The agency’s data about this invoice differ from ours. Check them on the agency’s web site, then amend or void accordingly, and inform the developers.',
      'amend',
      'void',
    ),
  ],
  [
    '2001',
    remediation(
      'Registered. The recipient’s NIF is not in the census, as is expected for one declared as not registered. Nothing needs to be done; if that was a mistake, amend the identity.',
      'amend',
    ),
  ],
  [
    '2004',
    remediation(
      'Registered, and needs no correction. Compare our clock with the agency’s: they are too far apart.',
    ),
  ],
  [
    '2009',
    remediation('Registered, and needs no correction. The tax catalog should name a regime key for IPSI.'),
  ],
  [
    '3000',
    remediation(
      'The agency holds another record for an invoice with this number. Look it up on the agency’s web site. If it is from another system, the number is used twice and the merchant must be informed; amending replaces it with ours.',
      'amend',
    ),
  ],
  ['3001', remediation('The agency has already cancelled it. Nothing needs to be done.')],
  [
    '3002',
    remediation(
      'The agency holds no record that could be changed. Void or amend again: the flags of the new record follow from this answer.',
      'amend',
      'void',
    ),
  ],
  [
    '3003 1128',
    remediation(
      'We may not send for this company. Have the merchant grant the mandate to the holder of our certificate, or upload the company’s own certificate; then amend the record without changes.',
      'amend',
    ),
  ],
  [
    '3004',
    remediation(
      'The invoice was entered in the agency’s web form, and can be changed only there. Change it there, and state this in the reason if you void the invoice here.',
    ),
  ],
  [
    '4141',
    remediation(
      'The agency has suspended our access: nothing is sent for any company. Contact the agency. Retry the chains only after it has confirmed that the access is restored.',
      'retry',
    ),
  ],
];

const byCode = new Map(BY_CODE.flatMap(([codes, found]) => codes.split(' ').map((code) => [code, found])));

const OTHER_REFUSAL = remediation(
  'This answer is unknown. Read the agency’s message and the record’s XML; then amend the data in question, or void the invoice if it should never have been issued.',
  'amend',
  'void',
);
const OTHER_FLAG = remediation(
  'Registered, with a remark. Read the agency’s message: if the remark is right, amend the record.',
  'amend',
);

/** What to do about a record that was refused or flagged with a code. */
export function recordRemediation(status: string, code: string | null): Remediation {
  return byCode.get(code ?? '') ?? (status === 'registered_with_errors' ? OTHER_FLAG : OTHER_REFUSAL);
}

const PARKED_BY_HAND = remediation(
  'It was parked by an operator. Unpark it once the cause is removed; skip it only if it must never be sent.',
  'unpark',
  'skip',
);

/** What to do about a parked record; `code` is null when it was parked by an operator. */
export function parkedRemediation(code: string | null): Remediation {
  return code === null ? PARKED_BY_HAND : ENVELOPE;
}

const STOPPED = remediation(
  'The agency refused the envelope for a reason that a retry does not remove. Read its message; once the cause is removed, retry the chain.',
  'retry',
);

/** What to do about a chain that has stopped. */
export function stopRemediation(code: string | null): Remediation {
  return byCode.get(code ?? '') ?? STOPPED;
}

const BY_OUTCOME: Readonly<Record<string, Remediation>> = {
  technical_fault: TECHNICAL,
  not_sent: remediation(
    'The agency could not be reached: nothing was sent. It is retried automatically, at least once an hour. Check our own network and certificate if others can reach it.',
    'retry',
  ),
  unknown: remediation(
    'The envelope was sent, but no answer was received. Before anything is sent again, the agency is queried automatically for the records that it holds.',
    'retry',
  ),
  unreadable: remediation(
    'An unintelligible answer was received. Before anything is sent again, the agency is queried automatically for the records that it holds.',
    'retry',
  ),
  incomplete: remediation(
    'The agency did not answer for every record. It is queried automatically for the records that it holds.',
    'retry',
  ),
  content_fault: remediation('One record makes the envelope fail: it is being located, and will be parked.'),
};

/** What to do about a chain whose last envelope failed with an outcome. */
export function outcomeRemediation(outcome: string | null): Remediation {
  return BY_OUTCOME[outcome ?? ''] ?? TECHNICAL;
}

/** The code and the words of a reason as it is kept, `4102: El XML …`. */
export function splitReason(reason: string): { readonly code: string | null; readonly text: string } {
  const [, code, text] = /^(\d{4}): (.*)$/s.exec(reason) ?? [];
  return code === undefined ? { code: null, text: reason } : { code, text: text! };
}
