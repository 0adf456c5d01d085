// Random values are the same for every change, so that its outcome does not depend on chance.
require('fast-check').configureGlobal({ seed: 1 });
