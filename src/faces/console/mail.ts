import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { OperatorContext } from './page.ts';
import { stored } from './query.ts';

/** A message that was written instead of being sent. */
export const WRITTEN = stored(`query ConsoleWrittenEmail($id: ID!) {
  writtenEmail(id: $id) { id writtenAt from to subject text html attachments { filename mediaType content } }
}`);

/**
 * What the frame with a message may do: show it. It runs nothing, loads nothing and leads nowhere; the styles stand in the
 * message itself.
 */
export const MESSAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";

async function written(context: OperatorContext) {
  const found = await WRITTEN(context, { id: context.param('id') });
  if (isRefusal(found)) return found;
  return found.writtenEmail ?? new Refusal('not_found', 'No message with this id was written here.');
}

/** The message as HTML, for a frame. */
export async function messageHtml(context: OperatorContext): Promise<Outcome<string>> {
  const found = await written(context);
  return isRefusal(found) ? found : found.html;
}

/** A file of the message, by its place. */
export async function messageFile(
  context: OperatorContext,
): Promise<Outcome<{ readonly filename: string; readonly mediaType: string; readonly bytes: Buffer }>> {
  const found = await written(context);
  if (isRefusal(found)) return found;
  const file = found.attachments[Number(context.param('index'))];
  if (file === undefined) return new Refusal('not_found', 'The message has no such attachment.');
  const { filename, mediaType, content } = file;
  return { filename, mediaType, bytes: Buffer.from(content, 'base64') };
}
