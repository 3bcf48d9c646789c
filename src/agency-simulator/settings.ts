/** How the registration service behaves. */
export const MODES = ['ok', 'down', 'fault', 'hang', 'accept_then_drop'] as const;
export type Mode = (typeof MODES)[number];

/** What `/_control` sets. It lives in memory only: a restart begins with `ok`. */
export type Settings = {
  mode: Mode;
  /** Pause between having dealt with a request and answering it. */
  delayMs: number;
  /** TiempoEsperaEnvio of the answers. */
  waitSeconds: number;
  /** Whether an envelope that comes before its time is refused; it is counted in any case. */
  enforceWait: boolean;
  /** The code of mode `fault`. */
  faultCode: number;
};

/** Trouble with the agency's database: a fault that asks for another try. */
export const DEFAULT_FAULT_CODE = 3501;

export function initialSettings(waitSeconds: number): Settings {
  return { mode: 'ok', delayMs: 0, waitSeconds, enforceWait: false, faultCode: DEFAULT_FAULT_CODE };
}

/** What was counted since the start. */
export type Statistics = { envelopes: number; records: number; earlyEnvelopes: number };
