/** How the registration service behaves. */
export const MODES = ['ok', 'down', 'fault', 'hang', 'accept_then_drop', 'garbage', 'slow'] as const;
export type Mode = (typeof MODES)[number];

/** What `/_control` sets. It lives in memory only: a restart begins with `ok`. */
export type Settings = {
  mode: Mode;
  /** Pause between having dealt with a request and answering it; in mode `slow` the time that the answer takes. */
  delayMs: number;
  /** TiempoEsperaEnvio of the answers; null leaves it empty, and the issuer's last one stays in force. */
  waitSeconds: number | null;
  /** Whether an envelope that comes before its time is refused; it is counted in any case. */
  enforceWait: boolean;
  /** How far the agency's clock is ahead of this process's; behind it when negative. */
  clockAheadMs: number;
  /** The code of mode `fault`. */
  faultCode: number;
  /** Whether every client certificate is refused, as if it had been revoked. */
  refuseCertificates: boolean;
};

/** A failure of the agency's database: a fault that asks for another attempt. */
export const DEFAULT_FAULT_CODE = 3501;

/** How long an answer takes in mode `slow` unless it is set: longer than people watch, shorter than clients wait. */
export const SLOW_ANSWER_MS = 10_000;

export function initialSettings(waitSeconds: number): Settings {
  return {
    ...{ mode: 'ok', delayMs: 0, waitSeconds, enforceWait: false, clockAheadMs: 0 },
    faultCode: DEFAULT_FAULT_CODE,
    refuseCertificates: false,
  };
}

/** What was counted since the start. */
export type Statistics = { envelopes: number; records: number; earlyEnvelopes: number };
