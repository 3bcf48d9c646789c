import { ZipFile } from 'yazl';

/** A PDF that carries a stream as the file of that name. */
export const pdfWith = (stream: Buffer, filter = '/FlateDecode', name = 'factur-x.xml') =>
  Buffer.concat([
    Buffer.from(
      `%PDF-1.7\n1 0 obj <</Type/Catalog/AF[2 0 R]>> endobj\n2 0 obj <</Type/Filespec/UF(${name})/EF<</F 3 0 R>>>> endobj\n3 0 obj <</Filter${filter}/Length ${stream.length}>>\nstream\n`,
    ),
    ...[stream, Buffer.from('\nendstream endobj\n')],
  ]);

/** A ZIP file of these files. */
export const zipOf = (files: Readonly<Record<string, Buffer | string>>): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return new Response(zip.outputStream as unknown as ReadableStream)
    .arrayBuffer()
    .then((all) => Buffer.from(all));
};
