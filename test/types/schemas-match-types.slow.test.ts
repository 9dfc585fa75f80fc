import { describe, expect, it } from 'vitest';
import { declaredEndpoints } from '../../scripts/generate/declared-endpoints.js';
import { differences, EndpointTypes, promisedFields, type Shape, shapeOfField } from './shape.js';

const declared = (await declaredEndpoints()).map(({ constant, endpoint }) => ({
  constant,
  endpoint,
  id: endpoint.id,
  stability: endpoint.stability,
}));
const types = new EndpointTypes();

/** Fields that this package adds to a response. */
const OURS = ['faucetOutcome', 'resolvedByRetry'];
/** Endpoints whose output has one of several shapes, each with its own tests. */
const UNIONS = ['auth.login', 'referral.get'];

function without(shape: Shape, names: readonly string[]): Shape {
  if (shape === true) return true;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)));
}

describe('the input type matches the input schema', () => {
  it.each(declared)('$id', ({ constant, endpoint }) => {
    expect(shapeOfField(endpoint.input).shape).toEqual(types.shapeOf(constant, 0));
  });
});

describe('the output type matches the response schemas of an endpoint under contract', () => {
  const shown = declared.filter(
    ({ id, stability }) => stability === 'contract' && !UNIONS.includes(id),
  );
  it.each(shown)('$id', ({ constant, endpoint }) => {
    const expected = without(types.shapeOf(constant, 1), OURS);
    for (const { promise } of Object.values(endpoint.responses)) {
      expect(differences(shapeOfField(promise).shape, expected)).toEqual([]);
    }
  });
});

describe('the output type promises nothing of a preview response that is not checked', () => {
  const unchecked = declared.filter(
    ({ endpoint, stability }) =>
      stability === 'preview' &&
      Object.values(endpoint.responses).some(({ tolerance }) => tolerance === undefined),
  );
  it.each(unchecked)('$id', ({ constant }) => {
    expect(promisedFields(types.shapeOf(constant, 1))).toEqual([]);
  });
});
