// Nothing of this package needs a setting. A bare app takes `@react-native/metro-config` instead.
const { getDefaultConfig } = require('expo/metro-config');

module.exports = getDefaultConfig(__dirname);
