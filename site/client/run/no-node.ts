/** Stands in for modules of Node that the setups of the guides import and a page never calls. */
const missing = () => {
  throw new Error('this needs Node');
};

export { missing as createServer, missing as once };
