export interface Verdict {
  readonly allowed: boolean;
  readonly wait_seconds: number;
  /** Headers for requests that pass; refused ones do not get them. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** Creates a sliding window per key: at most as many requests as the rate within any period of its length. */
export function createThrottle(rate: () => Rate, now: () => number) {
  const histories = new Map<string, readonly number[]>();

  return (key: string): Verdict => {
    const { requests, seconds } = rate();
    const recent = (histories.get(key) ?? []).filter((at) => at > now() - seconds * 1000);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= requests) {
      const wait_seconds = Math.ceil((oldest + seconds * 1000 - now()) / 1000);
      return { allowed: false, wait_seconds, headers: {} };
    }
    histories.set(key, [...recent, now()]);
    const headers = {
      'x-ratelimit-remaining': String(Math.max(0, requests - recent.length - 1)),
      'x-ratelimit-reset': String(Math.floor(now() / 1000 + seconds)),
    };
    return { allowed: true, wait_seconds: 0, headers };
  };
}
