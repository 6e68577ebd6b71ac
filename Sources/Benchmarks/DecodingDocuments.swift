import Foundation

/// Documents shaped like two common JSON parser benchmarks: social network posts, and a map.
enum DecodingDocuments {
    static func posts(_ count: Int) -> Data {
        let posts = (0..<count).map { number in
            #"""
            {"metadata":{"result_type":"recent","iso_language_code":"ja"},"created_at":"Sun Aug 31 00:29:15 +0000 2014",\#
            "id":\#(505_874_924_095_815_681 + number),"id_str":"505874924095815681","text":"@reader \n\n名前:前田\n印象:\#
            やわらかい😋✨✨","source":"<a href=\"http://example.com/download\" rel=\"nofollow\">Example</a>",\#
            "truncated":false,"in_reply_to_status_id":null,"in_reply_to_user_id":866260188,"user":{"id":1186275104,\#
            "name":"AYUMI","screen_name":"ayuu0123","location":"","description":"最高の夏をありがとう…❤︎","url":null,\#
            "entities":{"description":{"urls":[]}},"protected":false,"followers_count":262,"friends_count":252,\#
            "created_at":"Sat Feb 16 13:40:25 +0000 2013","utc_offset":null,"time_zone":null,"verified":false,\#
            "statuses_count":1769,"lang":"en","profile_image_url":"http://example.com/images/49776088679_normal.jpeg",\#
            "default_profile":true,"following":false},"geo":null,"coordinates":null,"retweet_count":0,\#
            "favorite_count":\#(number),"entities":{"hashtags":[{"text":"abc","indices":[1,20]}],"symbols":[],\#
            "urls":[],"user_mentions":[{"screen_name":"aym0566x","id":866260188,"indices":[0,9]}]},\#
            "favorited":false,"retweeted":false,"lang":"ja"}
            """#
        }
        return Data(#"{"statuses":[\#(posts.joined(separator: ","))],"search_metadata":{"count":100}}"#.utf8)
    }

    static func map(_ rings: Int) -> Data {
        var state: UInt64 = 88_172_645_463_325_252
        func degrees() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state % 180_000_000_000_000) / 1e12 - 90
        }
        let rings = (0..<rings).map { _ in "\((0..<100).map { _ in [degrees(), degrees()] })" }
        let geometry = #"{"type":"Polygon","coordinates":[\#(rings.joined(separator: ","))]}"#
        return Data(#"{"type":"Feature","properties":{"name":"Canada"},"geometry":\#(geometry)}"#.utf8)
    }
}

struct Posts: Decodable {
    struct User: Decodable {
        var id: UInt64
        var name: String
        var screen_name: String
        var location: String
        var description: String
        var url: String?
        var followers_count: Int
        var friends_count: Int
        var created_at: String
        var utc_offset: Int?
        var verified: Bool
        var statuses_count: Int
        var lang: String
    }

    struct Tag: Decodable {
        var text: String
        var indices: [Int]
    }

    struct Entities: Decodable {
        var hashtags: [Tag]
        var urls: [Tag]
    }

    struct Post: Decodable {
        var metadata: [String: String]
        var created_at: String
        var id: UInt64
        var text: String
        var source: String
        var truncated: Bool
        var in_reply_to_status_id: UInt64?
        var user: User
        var entities: Entities
        var retweet_count: Int
        var favorite_count: Int
        var favorited: Bool
        var lang: String
    }

    var statuses: [Post]
}

struct Map: Decodable {
    struct Geometry: Decodable {
        var type: String
        var coordinates: [[[Double]]]
    }

    var type: String
    var properties: [String: String]
    var geometry: Geometry
}
