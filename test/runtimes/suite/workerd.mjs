// Entry for workerd: each request runs the suite.
import { runSuite } from './index.mjs';

export default {
  async fetch(request) {
    return Response.json(await runSuite(await request.json()));
  },
};
