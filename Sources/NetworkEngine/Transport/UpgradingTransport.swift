/// A transport that asks for another protocol if the context of an exchange offers one.
package protocol UpgradingTransport: Transport {}
