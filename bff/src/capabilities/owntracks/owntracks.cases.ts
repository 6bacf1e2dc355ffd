import { post, readOnlyCases, type Cases } from '../../tests/contract.cases.ts';
import { onlyKey, type OperationOfCapability } from '../../tests/rights.fixture.ts';

const report = () => post('/owntracks', { _type: 'location', lat: 52.5, lon: 13.4 });

// Only with the key of a device: owntracks.http.test.ts has what succeeds.
export const cases: Cases = {
  reportOwnTracks: readOnlyCases([
    { title: 'with the key of a user', request: report, expect: { status: 403, code: 'key.not_allowed' } },
  ]),
};

export const operationRights: Record<string, OperationOfCapability> = {
  reportOwnTracks: { request: report, statuses: onlyKey(403), keepsData: true, scope: 'position', ofDeviceKey: 200 },
};
