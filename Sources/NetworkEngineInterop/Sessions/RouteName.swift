/// A type that distinguishes the class of a route from others.
protocol RouteName: SendableMetatype {}

/// The names of routes: their numbers as types, bit by bit.
enum RouteNames {
    static func name(of number: Int) -> any RouteName.Type {
        var name: any RouteName.Type = First.self
        var rest = number
        while rest > 0 {
            name = rest & 1 == 0 ? name.zero : name.one
            rest >>= 1
        }
        return name
    }

    private enum First: RouteName {}
    fileprivate enum Zero<Rest: RouteName>: RouteName {}
    fileprivate enum One<Rest: RouteName>: RouteName {}
}

extension RouteName {
    fileprivate static var zero: any RouteName.Type { RouteNames.Zero<Self>.self }
    fileprivate static var one: any RouteName.Type { RouteNames.One<Self>.self }
}
