import type { ConnectionOptions } from 'node:tls';
import SMTPConnection, { type SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import type { MailConfig } from '../../ground/config/config.ts';
import { EMAIL_LIMITS } from './limits.ts';
import { oneLineResponse } from './smtp-response.ts';
import type { MailTransport, OutgoingMessage, Reply, SendResult } from './transport.ts';

type SmtpConfig = Pick<Extract<MailConfig, { way: 'smtp' }>, 'server' | 'requireTls'>;

/** Other timeouts than the service's own, for tests. */
type Surroundings = {
  readonly tls?: ConnectionOptions;
  readonly connectingMs?: number;
  readonly silenceMs?: number;
  readonly attemptMs?: number;
};

/** The properties of the library's errors. */
type SmtpError = Error & {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly recipient?: string;
  readonly rejectedErrors?: readonly SmtpError[];
};

/**
 * Delivers messages to a mail server, each over its own connection, with TLS if the configuration requires it. The
 * conversation is never logged: it contains addresses, and the password.
 */
export function smtpTransport(config: SmtpConfig, surroundings: Surroundings = {}): MailTransport {
  return {
    handOver: (message, begin) => handOver(new Conversation(config, surroundings), message, begin),
    async check() {
      const conversation = new Conversation(config, surroundings);
      try {
        await conversation.open();
        return null;
      } catch (error) {
        return textOf(error as SmtpError);
      } finally {
        conversation.close();
      }
    },
  };
}

async function handOver(
  conversation: Conversation,
  message: OutgoingMessage,
  begin: () => Promise<boolean>,
): Promise<SendResult | null> {
  try {
    const refused = await conversation.open().then(
      () => null,
      (error: SmtpError) => error,
    );
    // The failure concerns the server or the connection, and not the message.
    if (refused !== null) return { replies: message.to.map(waiting(null)), error: textOf(refused) };
    if (!(await begin())) return null;
    return await conversation.send(message).then(
      (info) => accepted(message, info),
      (error: SmtpError) => notAccepted(message, error),
    );
  } finally {
    conversation.close();
  }
}

const waiting =
  (response: string | null) =>
  (address: string): Reply => ({ address, status: 'queued', response });

/** The message was accepted, though perhaps not for every recipient. */
function accepted(
  { to }: OutgoingMessage,
  { response, rejectedErrors = [] }: SMTPConnectionSendInfo,
): SendResult {
  const faults = new Map((rejectedErrors as readonly SmtpError[]).map((error) => [error.recipient, error]));
  const replies = to.map((address): Reply => {
    const fault = faults.get(address);
    return fault === undefined
      ? { address, status: 'sent', response: oneLineResponse(response) }
      : replyOf(address, fault);
  });
  return { replies, error: null };
}

function notAccepted({ to }: OutgoingMessage, error: SmtpError): SendResult {
  const faults = new Map((error.rejectedErrors ?? []).map((fault) => [fault.recipient, fault]));
  const replies = to.map((address) => replyOf(address, faults.get(address) ?? error));
  return { replies, error: textOf(error) };
}

/**
 * RFC 5321, section 4.2.1: 5yz is permanent, 4yz temporary; without an answer it is unknown whether the message was
 * accepted.
 */
function replyOf(address: string, { responseCode, response }: SmtpError): Reply {
  const isPermanent = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  return { address, status: isPermanent ? 'refused' : 'queued', response: oneLineResponse(response) };
}

/** Why an attempt failed: derived from codes, so that it contains neither a server's text nor an address. */
function textOf({ code, responseCode }: SmtpError): string {
  if (code === 'EAUTH')
    return 'the mail server refuses the login: check the user and the password in SMTP_URL';
  if (code === 'ETLS') return 'the connection to the mail server cannot be put under TLS';
  if (responseCode !== undefined) return `the mail server answered ${responseCode}`;
  if (code === 'ETIMEDOUT') return 'the mail server does not answer in time';
  if (code === 'EDNS' || code === 'ENOTFOUND') return 'the name of the mail server is not known';
  return 'the connection to the mail server was refused or lost';
}

/** One connection, from greeting to end, bounded in time whatever the server does. */
class Conversation {
  readonly #connection: SMTPConnection;
  readonly #config: SmtpConfig;
  readonly #ended: Promise<never>;
  readonly #timer: NodeJS.Timeout;

  constructor(config: SmtpConfig, { tls, connectingMs, silenceMs, attemptMs }: Surroundings) {
    const { host, port, secure } = config.server;
    this.#config = config;
    this.#connection = new SMTPConnection({
      ...{ host, port, secure, requireTLS: config.requireTls },
      connectionTimeout: connectingMs ?? EMAIL_LIMITS.emailConnecting.value,
      greetingTimeout: connectingMs ?? EMAIL_LIMITS.emailConnecting.value,
      dnsTimeout: connectingMs ?? EMAIL_LIMITS.emailConnecting.value,
      socketTimeout: silenceMs ?? EMAIL_LIMITS.emailSilence.value,
      maxResponseSize: 64 * 1024,
      // A server on this machine may have a self-signed certificate; nobody can intercept that connection.
      tls: { minVersion: 'TLSv1.2', rejectUnauthorized: config.requireTls || secure, ...tls },
    });
    const { promise, reject } = Promise.withResolvers<never>();
    this.#ended = promise;
    this.#ended.catch(() => {});
    this.#connection.on('error', reject);
    this.#connection.on('end', () => reject(new Error('the connection was lost')));
    this.#timer = setTimeout(
      () => reject(Object.assign(new Error('the attempt takes too long'), { code: 'ETIMEDOUT' })),
      attemptMs ?? EMAIL_LIMITS.emailAttempt.value,
    );
  }

  /** Connects, and logs in if the configuration has credentials. */
  async open(): Promise<void> {
    await this.#step<void>((done) => this.#connection.connect((error) => done(error ?? null)));
    const { login } = this.#config.server;
    if (login === null) return;
    await this.#step<unknown>((done) => this.#connection.login({ ...login, credentials: login }, done));
  }

  send({ from, to, envelopeId, bytes }: OutgoingMessage): Promise<SMTPConnectionSendInfo> {
    // A server with DSN is asked to return only the header of the message in reports, and to report delays too.
    const dsn = { id: envelopeId ?? undefined, return: 'headers', notify: 'failure,delay' };
    const envelope = { from, to: [...to], size: bytes.length, dsn };
    return this.#step((done) => this.#connection.send(envelope, bytes, done));
  }

  close(): void {
    clearTimeout(this.#timer);
    // If the server does not answer QUIT, it has the message all the same.
    this.#connection.quit();
    this.#connection.close();
  }

  /** One step of the conversation; rejects when the connection ends before. */
  #step<T>(command: (done: (error: Error | null, result?: T) => void) => void): Promise<T> {
    const step = new Promise<T>((resolve, reject) => {
      command((error, result) =>
        error === null || error === undefined ? resolve(result as T) : reject(error),
      );
    });
    return Promise.race([step, this.#ended]);
  }
}
