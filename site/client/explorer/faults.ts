import type { EndpointId, MockPlatform } from 'card-platform-sdk/testing';

/** When a fault happens, seen from the service. */
export const MOMENTS = ['before the service acts', 'after the service has acted'] as const;

export type Moment = (typeof MOMENTS)[number];

type Plan = (mock: MockPlatform, id: EndpointId, moment: Moment) => void;

/** The fault happens in every attempt, as in the retry table. */
const ALWAYS = { times: 1_000 };

const momentOf = (moment: Moment) =>
  moment === MOMENTS[0] ? 'before-processing' : 'after-processing';

const status =
  (code: number): Plan =>
  (mock, id, moment) =>
    mock.fail(id, { status: code, isUndocumented: true }, { ...ALWAYS, moment: momentOf(moment) });

/** The faults to choose from. One without a moment happens before anything reaches the service. */
export const FAULTS: Readonly<Record<string, { plan: Plan; hasMoment: boolean }>> = {
  'the connection is refused': {
    plan: (mock, id) => mock.drop(id, 'refused', ALWAYS),
    hasMoment: false,
  },
  'the connection breaks': {
    plan: (mock, id, moment) => mock.drop(id, momentOf(moment), ALWAYS),
    hasMoment: true,
  },
  'the body breaks off': {
    plan: (mock, id) => mock.drop(id, 'mid-body', ALWAYS),
    hasMoment: false,
  },
  ...Object.fromEntries(
    [401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504].map((code) => [
      `status ${code}`,
      { plan: status(code), hasMoment: true },
    ]),
  ),
};
