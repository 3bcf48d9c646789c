import { expect } from 'vitest';
import { writeMail } from '../../../src/faces/mail/message.ts';
import { deliverEmail } from '../../../src/subjects/emails/deliver.ts';
import { type Answer, type TestService, testService } from '../http/http-service.ts';
import { createCompany, type TestCompany } from '../invoices/company.ts';
import { aCompleteInvoice } from '../invoices/invoices.ts';
import { type MailServer, mailServer } from './mail-server.ts';

export const FROM = 'facturas@emisora.example';

/** An e-mail as REST answers it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Shown = any;

/** A service that sends by a mail server of the test's, and what a company does with it. */
export class Sending {
  readonly server: MailServer;
  readonly service: TestService;
  readonly logged: string[];
  /** Another one for each test: `renew`. */
  company: TestCompany;

  private constructor(server: MailServer, service: TestService, logged: string[]) {
    this.server = server;
    this.service = service;
    this.logged = logged;
    this.company = service.company;
  }

  static async open(settings: Record<string, string> = {}): Promise<Sending> {
    const server = await mailServer();
    const logged: string[] = [];
    const service = await testService({ SMTP_URL: server.url, EMAIL_FROM: FROM, ...settings }, { logged });
    return new Sending(server, service, logged);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.server.close();
  }

  /** A company and a mail server as they begin. */
  async renew(): Promise<void> {
    this.company = await createCompany(this.service.db);
    this.server.received.length = 0;
    this.server.refuse = () => null;
    this.server.refuseMessage = () => null;
    this.server.beforeAnswer = async () => {};
  }

  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = body === undefined ? {} : { body };
    return this.service.call(method, path, { key: this.company.test.key, headers, ...sent });
  }

  async issue(parts: Record<string, unknown> = {}): Promise<{ id: string; number: string; total: number }> {
    const { status, body } = await this.call('POST', '/v1/invoices', aCompleteInvoice(parts));
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  send(id: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call('POST', `/v1/invoices/${id}/send`, body, headers);
  }

  /** What `send` answers when it is taken. */
  async sent(id: string, body?: unknown): Promise<{ id: string }> {
    const answer = await this.send(id, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body;
  }

  async emails(id: string): Promise<Shown[]> {
    return (await this.call('GET', `/v1/invoices/${id}/emails`)).body.data;
  }

  /** What the job does. */
  deliver(id: string, others: { mostBytes?: number } = {}): Promise<Date | null> {
    return deliverEmail(
      { ...this.service.services, writeMail, ...others },
      this.company.test.environmentId,
      id,
    );
  }

  /** As if so much time had passed since the last attempt, by the clock that attempts go by. */
  async pass(milliseconds: number): Promise<void> {
    await this.service.owner.query(
      `update invoice_email_state set next_at = next_at - $1 * interval '1 millisecond',
              attempt_began_at = attempt_began_at - $1 * interval '1 millisecond' where status = 'queued'`,
      [milliseconds],
    );
  }

  async events(type: string): Promise<Shown[]> {
    return (await this.call('GET', `/v1/events?order=asc&limit=100&type=${type}`)).body.data;
  }
}
