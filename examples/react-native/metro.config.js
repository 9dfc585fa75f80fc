// This package needs no settings. A bare app uses `@react-native/metro-config` instead.
const { getDefaultConfig } = require('expo/metro-config');

module.exports = getDefaultConfig(__dirname);
