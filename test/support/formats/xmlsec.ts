import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether xmlsec1, another implementation of XML signatures, is installed. Says loudly when not. */
export const HAVE_XMLSEC = spawnSync('xmlsec1', ['--version']).error === undefined;
if (!HAVE_XMLSEC) {
  console.warn(
    '\n!!! xmlsec1 is not installed: signatures are NOT verified by another implementation here.\n',
  );
}

/** Whether xmlsec1 takes the signature, with the authority trusted; what it said otherwise. */
export function verifiedByXmlsec(text: string, authority: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-xmlsec-'));
  try {
    const [document, trusted] = [join(directory, 'document.xml'), join(directory, 'authority.pem')];
    writeFileSync(document, text);
    writeFileSync(trusted, authority);
    const { status, stderr } = spawnSync('xmlsec1', [
      '--verify',
      // By the certificate, and not by a bare key that anybody could put there.
      ...['--enabled-key-data', 'x509', '--trusted-pem', trusted],
      // The document has no definition of its types that would say which attributes are identifiers.
      ...['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'],
      ...['--id-attr:Id', 'http://www.w3.org/2000/09/xmldsig#:KeyInfo'],
      document,
    ]);
    return status === 0 ? 'verified' : stderr.toString();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
