import Glibc

@main
struct Entry {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "samples" where arguments.count == 2:
      try IncidentSample(
        root: arguments[1] + "/incident",
        profile: "Recipes/profiles/rasd-native.json"
      ).make()
    default:
      print("rasdkit-bench samples FOLDER   write the sample fleet, device and incident anew")
      exit(arguments.isEmpty ? 0 : 2)
    }
  }
}
